"""What tests of Rate and of Studies do alike: a rater comes in by a link and is told how far they are, an owner opens a
study and goes from step to step; and markup, which is to stay text wherever anybody types it."""

import re

from playwright.sync_api import expect

MARKUP = "<img src=x onerror=pwned=1> ${window.pwned=2} {{value}} `${pwned=3}` \\u003cimg src=x onerror=pwned=4\\u003e"


def enter(page, address):
    """Follow a link for the first time."""
    page.goto(address)
    page.locator("#rate-consent").check()
    page.locator("#rate-begin").click()
    expect(page.locator("#rate-verse h2")).to_have_text("Verse 1 · not rated yet")


def progress(page, sentence):
    expect(page.locator(".rate-progress")).to_have_text(re.compile(f"^\\s*{re.escape(sentence)}\\s*$"))


def unfold(page, accordion):
    page.locator(f"{accordion} button").first.click()


def open_study(page, study, token):
    page.get_by_role("tab", name="Studies").click()
    unfold(page, "#study-other")
    page.locator("#study-number input, #study-number textarea").fill(study)
    page.locator("#study-token input").fill(token)
    page.locator("#study-open").click()


def step(page, name):
    page.locator("#steps").get_by_role("tab", name=name).click()
