"""The sounds of Sanskrit, one SLP1 letter each, sorted by what they do to a syllable's weight.

This is the only place that says which letter is what. It knows no syllables and no metres.

Source: Pāṇini 1.4.10-12 (a short vowel is light, a long one heavy, a short one before a conjunct heavy), with
anusvāra and visarga after Vṛttaratnākara 1.9. e and o, historically diphthongs, are long.
"""

SHORT = "aiufx"
LONG = "AIUFXeEoO"
VOWELS = SHORT + LONG
CONSONANTS = "kKgGNcCjJYwWqQRtTdDnpPbBmyrlvSzshL"

ANUSVARA = "M"
VISARGA = "H"
ANUNASIKA = "~"
JIHVAMULIYA = "Z"
UPADHMANIYA = "V"
AVAGRAHA = "'"

# What may follow a vowel and close its syllable. Jihvāmūlīya and upadhmānīya are visarga before k/kh and p/ph; the
# anunāsika is weighed as anusvāra because skrutable, whose verdict is the metric, does so; in the epics it stands
# before l, where a conjunct makes the syllable heavy anyway.
CODAS = ANUSVARA + VISARGA + ANUNASIKA + JIHVAMULIYA + UPADHMANIYA

LETTERS = VOWELS + CONSONANTS + CODAS + AVAGRAHA

# Word-initial conjuncts before which a short vowel may stay light, the kramasaṃyoga of Vṛttaratnākara 1.10. The list
# is skrutable's.
KRAMA = ("pr", "br", "kr", "hr", "kz")

_PLAIN = str.maketrans({ANUNASIKA: ANUSVARA, JIHVAMULIYA: VISARGA, UPADHMANIYA: VISARGA})


def plain(slp1: str) -> str:
    """The same text with the rarer codas written as the common ones they are weighed as."""
    return slp1.translate(_PLAIN)


def vowels_in(slp1: str) -> int:
    """How many vowels a text has: one to a syllable."""
    return sum(letter in VOWELS for letter in slp1)
