"""What the page loads, who can use it, and whether it can be read."""

import re
from pathlib import Path

import service.web
from service.api._fakes import a_run

STATIC = Path(service.web.__file__).parent / "static"


def test_the_page_fetches_nothing_from_elsewhere_and_has_nothing_inline(draw):
    """So that the strict content policy can stand."""
    page = draw(a_run("r1"), a_run("r2", state="in_progress"))
    for node in page.select("[src], link[href]"):
        assert (node.get("src") or node["href"]).startswith("/static/")
    assert page.select("[style], style, [onclick], script:not([src])") == []
    for file in STATIC.iterdir():
        assert not re.search(r"(?<!xmlns=\")https?://", file.read_text())


def test_every_field_has_a_label_and_every_id_is_its_own(draw):
    """Screen readers name each field and each button."""
    page = draw(a_run("r1"), a_run("r2"))
    ids = [node["id"] for node in page.select("[id]")]
    assert len(ids) == len(set(ids))
    for field in page.select("input"):
        assert field.find_parent("label") or page.select_one(f"label[for='{field.get('id')}']")
    for node in page.select("[aria-labelledby], [aria-describedby], [popovertarget]"):
        for name in ("aria-labelledby", "aria-describedby", "popovertarget"):
            assert node.get(name) is None or node[name] in ids


def test_texts_stand_out_from_their_ground():
    """Every pair of colours used together has a contrast of at least 4.5, in light and dark."""
    light, dark = STATIC.joinpath("tokens.css").read_text().split("@media")
    pairs = [("ink", ground) for ground in ("ground", "surface", "sunken", "accent-wash", "bad-wash", "quiet-wash")]
    pairs += [("soft", ground) for ground in ("ground", "surface", "sunken", "quiet-wash")]
    pairs += [(name, f"{name}-wash") for name in ("good", "busy", "bad")]
    pairs += [("accent", "ground"), ("accent", "surface"), ("accent", "accent-wash"), ("warn", "surface")]
    pairs += [("on-accent", "accent"), ("on-accent", "accent-strong"), ("surface", "bad"), ("good", "surface")]
    for sheet in (light, dark):
        colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", sheet))
        for text, ground in pairs:
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)


def contrast(one, other):
    """Return the contrast of two colours (WCAG 2.2, relative luminance)."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour):
    """Return the relative luminance of #rrggbb."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
