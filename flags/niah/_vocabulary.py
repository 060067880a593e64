"""The words of the synthetic prose: without digits and invented names, so that no needle is among them."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Topic:
    """What a paragraph speaks of: who acts, what was done, where, and what there was to see."""

    who: tuple[str, ...]
    did: tuple[str, ...]
    where: tuple[str, ...]
    thing: tuple[str, ...]
    state: tuple[str, ...]


HARBOUR = Topic(
    who=(
        "the harbour master", "an old ferryman", "the younger of the two pilots", "the crew of the mail boat",
        "a fisherman's widow", "the lighthouse keeper", "the apprentice on the tug", "a merchant from inland",
        "the dredging gang", "the customs clerk",
    ),
    did=(
        "coiled the wet ropes", "counted the crates twice", "waited for the fog to lift",
        "repainted the name on the bow", "argued about the price of herring", "mended a torn net",
        "watched the barges turn with the tide", "lowered the lantern into the hold",
        "wrote the arrivals into the ledger", "scraped barnacles from the hull", "shared a pot of coffee",
        "listened for the bell buoy", "carried the luggage up the slipway", "measured the depth with a weighted line",
        "told the story of the great storm once more", "searched for a berth with enough water under it",
    ),
    where=(
        "at the end of the long pier", "behind the fish market", "below the sea wall", "beside the weighing house",
        "near the mouth of the river", "in the lee of the breakwater", "on the upper deck", "under the signal mast",
        "outside the chandler's shop", "along the northern quay", "by the old slipway",
        "in the shelter of the customs shed",
    ),
    thing=(
        "the tide table", "the smell of tar", "the row of mooring posts", "the creaking of the gangway",
        "a barrel of salted cod", "the green lamp of the outer mole", "the canvas over the cargo",
        "the flag at half mast", "the schedule of the ferry", "a chart with coffee stains",
    ),
    state=(
        "seemed older than anyone could remember", "was hardly noticed by the passengers",
        "told the pilots all they needed", "had been paid for by the parish", "moved a little with every swell",
        "was the pride of the whole town", "kept its colour in spite of the salt", "had outlasted three owners",
        "changed with the season", "was a matter of long debate",
    ),
)  # fmt: skip

GARDEN = Topic(
    who=(
        "the head gardener", "a neighbour with too many seedlings", "the woman who kept the bees",
        "the school's garden club", "an uncle of the family", "the new tenant of the cottage",
        "two brothers from the nursery", "the botanist on leave", "the man who sold bulbs",
        "the caretaker's daughter",
    ),
    did=(
        "pruned the apple trees", "turned the compost", "tied the beans to their poles", "divided the irises",
        "covered the young plants against frost", "sorted seeds into paper bags", "raked the gravel into even lines",
        "dug a trench for the leeks", "picked slugs from the lettuce by lantern light",
        "grafted a pear onto a quince", "pulled the bindweed out of the hedge", "filled every watering can",
        "sharpened the shears", "sketched a plan for the spring", "let the grass grow under the walnut",
        "tasted the first strawberries",
    ),
    where=(
        "behind the greenhouse", "along the south wall", "between the box hedges", "at the bottom of the orchard",
        "under the pergola", "beside the rain barrel", "near the garden gate", "in the cold frame",
        "around the old well", "next to the potting shed", "on the terrace above the pond",
        "in the shade of the mulberry",
    ),
    thing=(
        "the scent of the lime blossom", "the soil in that corner", "a row of late tulips",
        "the moss between the stones", "the cracked sundial", "the ivy on the chimney", "a basket of windfalls",
        "the water in the stone trough", "the first frost", "the wren in the woodpile",
    ),
    state=(
        "came earlier than in other years", "needed patience more than skill", "had been there before the house",
        "divided the opinions of the visitors", "was best in the early morning", "recovered after a single rain",
        "was worth the walk alone", "kept its secrets until June", "demanded attention every week",
        "pleased nobody but the cat",
    ),
)  # fmt: skip

WORKSHOP = Topic(
    who=(
        "the clockmaker", "a journeyman joiner", "the woman at the lathe", "the owner of the print shop",
        "the bookbinder", "the glazier's assistant", "a retired engineer", "the saddler and his son",
        "the foreman of the morning shift", "the violin maker",
    ),
    did=(
        "planed the oak board", "oiled the hinges", "measured the gap with a strip of paper", "set the type by hand",
        "polished the brass plate", "glued the broken leg of a chair", "filed the teeth of a small wheel",
        "hung the tools back in their order", "swept the shavings into a sack", "tested the spring again and again",
        "heated the iron until it glowed", "cut the leather along a chalk line",
        "explained the drawing to the customer", "stacked the finished frames", "looked for the missing screw",
        "tuned the machine by ear",
    ),
    where=(
        "at the bench under the window", "in the back room", "beside the cast iron stove",
        "on the upper floor of the mill", "next to the drying racks", "in the narrow courtyard",
        "under a single hanging lamp", "near the loading door", "in front of the tool cabinet", "behind the counter",
        "among the half finished cabinets", "beneath the leather belts",
    ),
    thing=(
        "the rhythm of the treadle", "a drawer full of odd keys", "the grain of the walnut",
        "the invoice for the varnish", "the pattern on the endpapers", "a jar of bent nails",
        "the oldest of the planes", "the order from the theatre", "the dust on the skylight",
        "the bell above the door",
    ),
    state=(
        "said more than any signature", "was kept for reasons of its own", "had been passed from master to master",
        "could be heard across the street", "took longer than the estimate", "was never thrown away",
        "gave the room its character", "was finished a day before the fair", "looked simple to the untrained eye",
        "had to be done over",
    ),
)  # fmt: skip

JOURNEY = Topic(
    who=(
        "the conductor", "a family with too much luggage", "the geographer", "the innkeeper at the pass",
        "two students on bicycles", "the driver of the post coach", "a photographer", "the guide from the valley",
        "the woman in the window seat", "the surveyor's party",
    ),
    did=(
        "unfolded the map once again", "asked for the way to the station", "slept through the frontier",
        "bought bread and a wedge of cheese", "changed the wheel in the rain", "wrote a postcard and kept it",
        "crossed the bridge on foot", "waited for the connection", "compared the two guidebooks",
        "followed the river upstream", "took the wrong turning at the chapel", "paid the toll in small coins",
        "photographed the viaduct", "rested the mules", "learned a few words of the dialect",
        "missed the last cable car",
    ),
    where=(
        "on the far side of the tunnel", "in the dining car", "at the foot of the glacier",
        "on a bench outside the inn", "above the tree line", "in a village without a name on the map",
        "between two small stations", "at the crossroads", "along the canal", "in the waiting room",
        "near the frontier post", "on the road to the monastery",
    ),
    thing=(
        "the timetable", "the view from the ridge", "the sound of cowbells", "a suitcase with a broken strap",
        "the soup of the day", "the painted sign of the inn", "the long descent", "the guestbook",
        "the weather on the pass", "the second class carriage",
    ),
    state=(
        "made up for the delay", "was out of date by a season", "remained in memory for years",
        "was better than its reputation", "left nobody indifferent", "turned out shorter than expected",
        "was described in every letter home", "depended on the mood of the cook", "hid behind the clouds until noon",
        "was praised by all but one",
    ),
)  # fmt: skip

LIBRARY = Topic(
    who=(
        "the librarian", "a student of old languages", "the translator", "the editor of the yearbook",
        "the night porter", "a historian of the guilds", "the committee", "the archivist's deputy",
        "a reader with a magnifying glass", "the essayist",
    ),
    did=(
        "returned the folio to its shelf", "copied a passage by hand", "corrected the proofs",
        "looked up an unusual verb", "removed dust from the globes", "discussed the order of the chapters",
        "found a pressed flower between the pages", "questioned the date of the letter", "asked for silence",
        "filled in the yellow slip", "read the footnotes first", "drafted a reply to the critics",
        "renewed the loan for another month", "compared the two editions line by line", "left a note for the bindery",
        "abandoned the second draft",
    ),
    where=(
        "in the reading room", "at the end of the gallery", "among the unsorted papers", "beside the card catalogue",
        "under the painted ceiling", "on the spiral staircase", "in the basement stacks",
        "at the table by the radiator", "behind the glass doors", "in the quiet hour before closing",
        "near the periodicals", "at the lending desk",
    ),
    thing=(
        "the margin of the manuscript", "a theory about the author", "the catalogue of the bequest", "the preface",
        "the handwriting of the clerk", "the argument of the third chapter", "an index without page references",
        "the habit of underlining", "the locked cabinet", "the last of the diaries",
    ),
    state=(
        "raised more questions than it settled", "was quoted without being read", "had escaped every earlier search",
        "convinced only the convinced", "was written in a great hurry", "deserved a better translation",
        "explained the silence of the sources", "belonged to another century", "was longer than the book itself",
        "found its defenders in the end",
    ),
)  # fmt: skip

KITCHEN = Topic(
    who=(
        "the baker", "the cook of the canteen", "a grandmother from the hills", "the cheese seller",
        "the new apprentice", "the choir after the rehearsal", "the owner of the tavern",
        "three generations of one family", "the beekeeper", "the cooperative",
    ),
    did=(
        "kneaded the dough until it shone", "skimmed the broth", "salted the cabbage in layers",
        "roasted the chestnuts", "whisked the eggs with a little cream", "laid the long table",
        "guarded the recipe for the plum cake", "cracked walnuts by the fire", "strained the jam through muslin",
        "warmed the plates", "tasted and shook the head", "cut the loaf into thick slices",
        "hung the sausages in the smoke", "washed the copper pans", "invited the neighbours",
        "set aside a portion for the late guests",
    ),
    where=(
        "in the kitchen below the stairs", "at the market hall", "beside the wood oven", "on the marble slab",
        "in the cellar", "under the awning", "around the kitchen table", "in the courtyard of the dairy",
        "near the open hearth", "behind the bakery", "at the harvest supper", "in the pantry",
    ),
    thing=(
        "the crust of the rye bread", "the smell of roasted onions", "a spoonful of honey",
        "the vinegar from last autumn", "the colour of the saffron", "the oldest of the cheeses",
        "the silence after the first course", "the wine from the next valley", "a pinch of nutmeg",
        "the leftover pears",
    ),
    state=(
        "made all the difference", "improved with every week", "brought the whole street to the window",
        "was gone within minutes", "reminded the guests of childhood", "was a question of patience",
        "could not be bought in any shop", "was praised a little too loudly", "needed nothing else",
        "was the reward for a long day",
    ),
)  # fmt: skip

TOPICS = (HARBOUR, GARDEN, WORKSHOP, JOURNEY, LIBRARY, KITCHEN)

WHEN = (
    "in the early morning", "late in the afternoon", "before the others arrived", "after the rain had stopped",
    "on the first warm day", "during the long winter", "at the end of the week", "while the light lasted",
    "as the bells began to ring", "on market days", "in the last days of autumn", "shortly before dusk",
    "once the snow had gone", "in the year of the drought", "between two showers", "without being asked",
)  # fmt: skip
HOW = (
    "slowly and with care", "as if nothing had happened", "with more patience than usual", "almost by accident",
    "in complete silence", "for the second time that day", "with a certain pride", "against all advice",
    "in half the usual time", "without looking up", "to everybody's surprise", "with borrowed tools",
    "under the eyes of the children", "as the custom demanded",
)  # fmt: skip
REMARK = (
    "nobody thought it worth a remark", "it was said that this brought luck", "the habit has survived to this day",
    "there was always somebody who knew better", "such things were rarely written down",
    "the reasons were never explained", "the older people smiled at it", "it cost less than one would think",
    "this was the part that visitors remembered", "the work itself was the smaller part of it",
    "it made the evenings shorter", "no two accounts of it agree", "that was how the trouble began",
    "one learned to wait", "the rest was left to the weather", "it all looked different from a distance",
)  # fmt: skip
LINK = (
    "meanwhile", "on other days", "more often than not", "in those years", "as a rule", "for once", "by and by",
    "if the weather allowed", "according to the neighbours", "strange as it sounds", "now and then", "in the end",
)  # fmt: skip
