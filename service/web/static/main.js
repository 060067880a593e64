// The page works without scripts; these add dropping, live counts and answers in place.
import { watchAdoptions } from "./adopt.js";
import { watchDrops } from "./drop.js";
import { watchRuns } from "./runs.js";

document.documentElement.classList.add("js");
const runs = watchRuns();
watchDrops(runs.refresh);
watchAdoptions();
