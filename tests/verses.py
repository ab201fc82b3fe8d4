"""Real verses with their source, for every test that needs one. SLP1, half-verses divided by a daṇḍa."""

from hypothesis import strategies as st

from workbench.prosody import sounds
from workbench.prosody.metre_verses import quoted_verses

# name of the metre -> (source, verse)
VERSES = {name: (quoted.source, quoted.slp1) for name, quoted in quoted_verses().items()}

# The four vipulās, from the corpus of the epics.
VIPULAS = {
    "na-vipulā": "tapaH svADyAyanirataM tapasvI vAgvidAM varam. nAradaM paripapracCa vAlmIkirmunipuNgavam..",
    "bha-vipulā": "Dfzwirjayanto vijayaH surAzwro rAzwravarDanaH. akopo DarmapAlaSca sumantraScAzwamo'rTavit..",
    "ma-vipulā": "kftaM yuvAByAM karmedamamarErapi duzkaram. varaM vfRItaM tuzwo'smi durlaBaM puruzezviha..",
    "ra-vipulā": "avErakft sUpacAraH samo nindApraSaMsayoH. suvfttaH SIlasampannaH prasannAtmA''tmavAn praBuH..",
}

# Bhagavadgītā 1.1, as half-verses.
GITA = "Darmakzetre kurukzetre samavetA yuyutsavaH", "mAmakAH pARqavAScEva kimakurvata saYjaya"

# Bhagavadgītā 1.1 as it is written in each script.
IN_EVERY_SCRIPT = {
    "devanagari": "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः । मामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय ॥",
    "iast": "dharmakṣetre kurukṣetre samavetā yuyutsavaḥ | māmakāḥ pāṇḍavāścaiva kimakurvata sañjaya ||",
    "slp1": "Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata saYjaya ..",
    "hk": "dharmakSetre kurukSetre samavetA yuyutsavaH | mAmakAH pANDavAzcaiva kimakurvata saJjaya ||",
    "itrans": "dharmakShetre kurukShetre samavetA yuyutsavaH | mAmakAH pANDavAshchaiva kimakurvata sa~njaya ||",
    "velthuis": 'dharmak.setre kuruk.setre samavetaa yuyutsava.h | maamakaa.h paa.n.davaa"scaiva kimakurvata sa~njaya ||',
    "telugu": "ధర్మక్షేత్రే కురుక్షేత్రే సమవేతా యుయుత్సవః । మామకాః పాణ్డవాశ్చైవ కిమకుర్వత సఞ్జయ ॥",
    "kannada": "ಧರ್ಮಕ್ಷೇತ್ರೇ ಕುರುಕ್ಷೇತ್ರೇ ಸಮವೇತಾ ಯುಯುತ್ಸವಃ । ಮಾಮಕಾಃ ಪಾಣ್ಡವಾಶ್ಚೈವ ಕಿಮಕುರ್ವತ ಸಞ್ಜಯ ॥",
    "malayalam": "ധര്മക്ഷേത്രേ കുരുക്ഷേത്രേ സമവേതാ യുയുത്സവഃ । മാമകാഃ പാണ്ഡവാശ്ചൈവ കിമകുര്വത സഞ്ജയ ॥",
    "bengali": "ধর্মক্ষেত্রে কুরুক্ষেত্রে সমবেতা যুযুত্সবঃ । মামকাঃ পাণ্ডবাশ্চৈব কিমকুর্বত সঞ্জয ॥",
    "grantha": "𑌧𑌰𑍍𑌮𑌕𑍍𑌷𑍇𑌤𑍍𑌰𑍇 𑌕𑍁𑌰𑍁𑌕𑍍𑌷𑍇𑌤𑍍𑌰𑍇 𑌸𑌮𑌵𑍇𑌤𑌾 𑌯𑍁𑌯𑍁𑌤𑍍𑌸𑌵𑌃 । 𑌮𑌾𑌮𑌕𑌾𑌃 𑌪𑌾𑌣𑍍𑌡𑌵𑌾𑌶𑍍𑌚𑍈𑌵 𑌕𑌿𑌮𑌕𑍁𑌰𑍍𑌵𑌤 𑌸𑌞𑍍𑌜𑌯 ॥",
    "tamil": "த⁴ர்மக்ஷேத்ரே குருக்ஷேத்ரே ஸமவேதா யுயுத்ஸவ꞉ . மாமகா꞉ பாண்ட³வாஶ்சைவ கிமகுர்வத ஸஞ்ஜய ..",
}


def halves(verse: str) -> list[str]:
    return [half.strip() for half in verse.split(".") if half.strip()]


def letters(alphabet: str, least: int = 0, most: int = 3) -> st.SearchStrategy[str]:
    return st.text(st.sampled_from(alphabet), min_size=least, max_size=most)


# Anything that is spelled like a Sanskrit word: consonants, a vowel, perhaps a coda, several times.
syllable = st.builds(
    "{}{}{}".format, letters(sounds.CONSONANTS), st.sampled_from(sounds.VOWELS), st.sampled_from(["", "", "M", "H"])
)
word = st.builds("{}{}".format, st.lists(syllable, min_size=1, max_size=5).map("".join), letters("tnmdkp", most=1))
half_verse = st.lists(word, min_size=1, max_size=6).map(" ".join)
