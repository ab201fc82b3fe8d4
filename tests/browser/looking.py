"""What tests of every tab do, and pictures too: open Debian's Chromium, choose from a list, measure contrast."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from workbench.benchmarks.page import FLAGS


@contextmanager
def browsing() -> Iterator[Browser]:
    found = shutil.which("chromium")
    assert found, "Expected Chromium; make chromium installs it."
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        yield browser
        browser.close()


def choose(page, dropdown, option):
    page.locator(f"{dropdown} input").click()
    page.get_by_role("option", name=option, exact=True).click()


def scrolls_sideways(page, widths=(1440, 1024, 390)) -> list[int]:
    """At which of these widths something stands out of the window; the first is what the page comes back to."""
    found = []
    for width in (*widths, widths[0]):
        page.set_viewport_size({"width": width, "height": 844})
        try:  # figures are drawn anew a moment after
            page.wait_for_function(
                "width => innerWidth === width && document.documentElement.scrollWidth === width",
                arg=width,
                timeout=20_000,
            )
        except PlaywrightTimeout:
            found.append(width)
    return found


# WCAG's contrast of the text of each selector's first match, on what the browser paints behind it.
CONTRAST = """selectors => {
  const channel = v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  const parse = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
  const ground = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = parse(getComputedStyle(e).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  return Object.fromEntries(selectors.map(selector => {
    const element = document.querySelector(selector);
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(ground(element))].sort((x, y) => y - x);
    return [selector, (a + .05) / (b + .05)];
  }));
}"""

# The akṣaras that are wider than their tiles, of all tiles that a selector finds.
SPILLING = """selector => [...document.querySelectorAll(selector)].map(tile => {
  const letters = document.createRange();
  letters.selectNodeContents(tile.querySelector('.akshara'));
  return [tile.innerText, letters.getBoundingClientRect().width, tile.getBoundingClientRect().width];
}).filter(([, letters, tile]) => letters > tile)"""
