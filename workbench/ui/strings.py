"""Every sentence of the page in one place. Sanskrit terms are explained where they first appear."""

TITLE = "Pingala Workbench"
BRAND = "पिङ्गल"
TAGLINE = "Sanskrit verse, syllable by syllable"

SCAN_TAB = "Scan"
SCAN_INTRO = (
    "Paste a verse in any Indian script or romanisation. The workbench finds its metre and shows each akṣara "
    "(syllable as written) with its weight: guru, heavy (–), or laghu, light (⏑), and the reason."
)
SCAN_INPUT = "Verse"
SCAN_PLACEHOLDER = "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः ।\nमामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय ॥"
SCAN_INPUT_HELP = "A line break, । or / ends a half-verse; ॥ or // ends a verse. Ctrl+Enter scans."
SCAN_SCRIPT = "Written in"
SCAN_SCRIPT_AUTO = "Find out"
SCAN_METRE = "Judge as"
SCAN_METRE_AUTO = "The metre it is in"
SCAN_TO = "Show in"
SCAN_RUN = "Scan"
SCAN_CLEAR = "Clear"
SCAN_EXAMPLES = "Examples"
SCAN_EMPTY = "The scanned verse appears here."

FULL = "every syllable fits"
LICENSED = "fits, with a licence of the tradition"
FAULTY = "does not fit yet"
INCOMPLETE = "not a whole verse"
UNKNOWN = "fits no metre of the table"
NO_METRE = "No known metre"
NEAR = "Also near"
SHOULD_BE = "should be"
YATI = "yati (pause) {parts}"
SYLLABLE_COUNT = "{count} syllables"
SKRUTABLE = "skrutable says {label}, {score} of 9"
SKRUTABLE_NOTHING = "skrutable has no verdict"
PROBLEMS = "What does not fit"
LICENCES = "What the tradition licenses"

UNEXPECTED = "Something went wrong here, and the log says what. Your text is still in the box."

# Verses with their source; what they show is in the second place.
EXAMPLES = (
    ("धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः ।\nमामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय ॥", "anuṣṭubh: Bhagavadgītā 1.1"),
    (
        "kaścit kāntāvirahaguruṇā svādhikārāt pramattaḥ\nśāpenāstaṃgamitamahimā varṣabhogyeṇa bhartuḥ |\n"
        "yakṣaś cakre janakatanayāsnānapuṇyodakeṣu\nsnigdhacchāyātaruṣu vasatiṃ rāmagiryāśrameṣu ||",
        "mandākrāntā: Meghadūta 1",
    ),
    ("siMhaH zizurapi nipatati madamalinakapolabhittiSu gajeSu |\n"
     "prakRtiriyaM sattvavatAM na khalu vayastejaso hetuH ||", "āryā: Bhartṛhari, Nītiśataka"),
    ("धर्मक्षेत्रे कुरुक्षेत्रे समवेता युद्धार्थिनः ।\nमामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय ॥", "a verse with a fault"),
)  # fmt: skip
