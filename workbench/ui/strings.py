"""Every sentence of the page in one place, but for the settings, whose words stand where they are declared. Sanskrit
terms are explained where they first appear."""

TITLE = "Pingala Workbench"
BRAND = "पिङ्गल"
TAGLINE = "Sanskrit verse, syllable by syllable"

COMPOSE_TAB = "Compose"
COMPOSE_EMPTY = "The verse appears here: two lines, its akṣaras (syllables as written) in a grid, and every candidate."
PROSE = "Prose"
PROSE_PLACEHOLDER = "Say in English what the verse should say."
PROSE_HELP = "A sentence or a passage. Ctrl+Enter composes."
EXAMPLES_LABEL = "Examples"
AN_EXAMPLE = "An example: “{prose}”"
EXAMPLE_HELP = "Made before by the model of this page. Say in English what yours should say, and press Compose."
MODEL = "Model"
MODEL_CHOICE = "{name} ({size}, needs {needs})"
SCRIPT = "Script"
# For those who call `compose`: what is no setting.
CALLED = {
    "prose": "One or two sentences of English.",
    "model": "A generator by name.",
    "script": "To write in: devanagari, iast, slp1, ...",
    "wishes": "What the verse keeps beside its metre, each a line: given 4:TEXT, word 2:WORD, inside WORD, akshara "
    "1.3:AKSHARA, without SOUNDS, begins AKSHARAS, rhyme 1; Sanskrit in any script.",
}
MORE = "More: how it searches, draws and ranks"
PRESET = "Preset"
PRESET_CHOICES = (("Ours", "house"), ("The paper's", "paper"))
COMPARE_WITH = "Compare with"
COMPARE_HELP = "The same prose, metre and seed under these settings, side by side."
COMPOSE = "Compose"
STOP = "Stop"
COMPARE = "Compare"
WAITING = "Waiting for its turn."
PLACE_IN_LINE = "Number {place} in line; its turn comes in about {seconds} s."
LINE_FULL = (
    "Expected at most {places} waiting; got one more. Try again in about {seconds} seconds: all that was typed stays."
)
COMPOSE_ALL_THE_SAME = "{doubt} Nothing was composed yet: press Compose again to compose all the same."
STOPPED_WAITING = "Stopped before it began."
STOPPED_AT = "Stopped at step {step}."
STOPPED_AT_OF = "Stopped at step {step} of about {about}."
STEP = "{search}, step {step}"
STOPPING = "Stopping after this step."
FULL_METRE = "Full"
VERSE_ARRIVED = "A verse in {metre}: {verse}"
WISHES_KEPT = "Kept beside the metre"
NOT_FULL = "Not full"
RANK_SHOWN = "candidate {rank}"
SECONDS = "{seconds:.1f} s"
NO_BEAM_ENDED = (
    "The search came to no whole verse. Under Search, more verses grown side by side would, or keeping the metre by "
    "mask and reward."
)
CANDIDATES = "{count} candidates"
CANDIDATES_DIFFER = "{few} that differ, of {count} candidates"
CANDIDATES_ALL = "show all {count}"
CANDIDATES_FEW = "show only the {few} that differ"
CANDIDATES_MARKED = "Underlined: words that the verse above has not. Press one to see it."
LIKELIHOOD = "likelihood"
LIKELIHOOD_HELP = "How likely the generator finds the verse; the nearer to 0, the likelier"
PADAS_DONE = "pādas"
PADAS_DONE_HELP = "Quarters of the verse that are done, and at which steps of the search each was"
MILESTONES = "pādas done at steps {steps}"
FAITHFUL, PARTLY, NOT_FAITHFUL = "faithful", "partly", "not"
OF_FIVE = "{score:.1f} of 5"
MEANING_COLUMN = "how much of the prose it says, in a machine's opinion: of 5, or where no scale is known from 0 to 1"
OTHER_JUDGE = "This verse was judged by a machine that judges no longer; compose again to have it judged."
RUBRIC = "{sentence} That is what {figure} means on the scale on which people rate verses."
SCALES = {  # by what the scale stands on
    "people": "A machine's opinion, the {judge}'s, put on that scale by people's ratings.",
    "graded verses": (
        "A machine's opinion, the {judge}'s, put on that scale by verses from books of which some quarters were "
        "exchanged for others; no people have rated yet."
    ),
    "blind readings": (
        "A machine's opinion, the {judge}'s, put on that scale by careful readings of a thousand verses of this page's "
        "generator; the readers were language models, told nothing but prose and verse. No people have rated yet."
    ),
}
COMPARED = ("First", "Second")
DIFFERENCES = "What differs:"

# The desk: what a poet does with a verse that is there.
COMPOSE_REST = "Compose the rest"
COMPOSE_ANEW = "Compose anew"
SEARCH_FOLD = "Search · {told}"
LOCK, UNLOCK = "lock", "unlock"
OTHERS = "others"
ONE_PADA = "Pāda {number}"
TWO_PADAS = "Pādas {number}"
LOCKED_SENTENCE = "Stays as it is when the rest is composed"
OFFER_HELP = "Press one to take it."
OFFER_FIGURE = "how far the whole verse then says the prose, in a machine's opinion"
NO_OFFERS = "Nothing else was found that fits there."
CLOSE = "close"
BY_HAND = "chosen by hand"
TAKEN = "You chose part of this verse; its metre was judged again."
BACK = "Brought back from your list; its metre was judged again."
WISH_KEPT, WISHES_ALL_KEPT = "one wish kept", "{count} wishes kept"
GRID_FOLD = "The metre, akṣara by akṣara"
WORD_HELP = "words instead of this one"

WISHES = "Wishes"
WISHES_COUNT = "Wishes · {count} asked"
WISHES_INTRO = (
    "What the verse keeps beside its metre, as the poets of an **avadhāna** were asked to. Write in any script. Every "
    "verse that comes keeps all of it; where that cannot be, a sentence says why."
)
WISH_GIVEN = "A line is given (samasyā)"
WISH_GIVEN_HELP = "The verse is made around it."
WISH_PLACE = "It is"
WISH_PLACES = (
    ("pāda 1", "1"), ("pāda 2", "2"), ("pāda 3", "3"), ("pāda 4", "4"), ("the first half", "half 1"),
    ("the second half", "half 2"), ("the beginning", "beginning"), ("the end", "end"),
)  # fmt: skip
WISH_WORDS = "Words are given, one for each pāda (dattapadī)"
WISH_WORD = "pāda {number}"
WISH_AKSHARA = "An akṣara is given for a place (nyastākṣarī)"
WISH_AKSHARA_PLACE = "pāda.syllable"
WISH_AKSHARA_TEXT = "akṣara"
WISH_WITHOUT = "Sounds are forbidden (niṣiddhākṣarī)"
WISH_WITHOUT_HELP = "Such as: ra, ś; or by name: labials, sibilants, nasals."
WISH_RHYME = "The pādas end alike (antyānuprāsa)"
WISH_RHYMES = (("no", ""), ("in their last akṣara", "1"), ("in their last two", "2"))
WISH_MORE = "More wishes, a line each"
WISH_MORE_HELP = "given 2:…, word 3:…, inside …, akshara 1.3:…, without …, begins …, rhyme 2:2,4"
WISHES_POSSIBLE = "Every verse in {metre} will keep this."
WISHES_NONE = "Nothing is asked yet."

DIVISION = "Verses"
DIVISIONS = (("One verse", "whole"), ("One a sentence", "sentences"), ("One a line", "lines"))
PASSAGE = "The passage"
PASSAGE_PROGRESS = "Verse {piece} of {pieces}: "
PASSAGE_DONE = "{done} verses."
PASSAGE_STOPPED = "Stopped: {done} of {pieces} verses are made."
PASSAGE_OPEN = "work on it"

KEPT = "Kept on this device"
KEPT_SAYS = {
    "empty": "Every verse you make stays here, in this browser only.",
    "now": "now", "pinned": "pinned", "pin": "pin", "unpin": "unpin", "name": "name", "delete": "delete",
    "compare": "compare", "comparing": "compare with …", "more": "more", "ask_name": "A name for this verse",
    "sure": "Delete this verse from the list?", "full": "This browser has no room for more; delete some.",
    "take": "take away:", "save": "save", "cancel": "cancel",
}  # fmt: skip
KEPT_FORMATS = (("text", "text"), ("Markdown", "markdown"), ("LaTeX", "latex"), ("JSON", "json"))
KEPT_UNREADABLE = "Expected a verse of this list; got something that cannot be read."

WRITE_TAB = "Write"
WRITE_INTRO = (
    "Write a verse of your own, in any script. Every akṣara (syllable as written) is weighed as you type; hatched "
    "tiles are what must still come: – heavy, ⏑ light, · either."
)
WRITE_INPUT = "Your verse"
WRITE_PLACEHOLDER = "dharmakṣetre kurukṣetre …"
WRITE_PROSE = "What it should say, if the machine is to help"
WRITE_PROSE_PLACEHOLDER = "In English; or nothing."
WRITE_METRE = "Metre"
WRITE_NEXT = "next words"
WRITE_FINISH = "finish it"
WRITE_READ = "what does it say?"
WRITE_MEND = "mend {word}"
WRITE_FITS = "fits so far"
WRITE_FULL = "every syllable fits"
WRITE_FAULTY = "does not fit yet"
WRITE_EMPTY = "nothing typed yet"
WRITE_ONE_TOO_MANY = "one too many"
WRITE_OPEN = "its weight is open until something follows"
WRITE_WAITS = "Looking …"
WRITE_NO_ANSWER = "The server did not answer; what you typed is safe here. Try again."

BEAMS_TAB = "Beams"
BEAMS_INTRO = (
    "How the verse was found. Each card is one beam (a verse in the making): its akṣaras with their weights, and, "
    "hatched, what must still come: – heavy, ⏑ light, · either. log P says how likely the model finds what is there: "
    "the nearer to 0, the likelier; β is what was added for pādas (quarters of the verse) that are done."
)
BEAMS_EMPTY = "Compose a verse, or open a kept trace, to see its search here."
STEP_SLIDER = "Step"
REPLAY, PAUSE = "Replay", "Pause"
SEARCH = "Search"
SEARCH_BEAMS, SEARCH_DRAWS = "Beams", "Draws"
BEAM, DRAW = "Beam", "Draw"
STEP_OF = "Step {step} of {steps}"
MASKED = "{share:.0%} of the word pieces (tokens) looked at were ruled out (masked){reasons}"
BEST_REFUSED = " · best refused: {text} {score}"
REFUSED_TEXT, REFUSED_END = "“{text}”", "the end of the verse"
BEAM_SCORE = "log P {log_p} + β {added}"
BEAM_REPEATED = " − repeated {cost}"
PADA_DONE = "✓ {count}{beta}"
REACHED = "step {step}, {score}"
ENDED = "Verses that ended in this step: {count}"
MORE_BEAMS = "{count} more"
DROPPED = "Beams dropped before this step: {count}"
DOWNLOAD_TRACE = "Download trace"
OPEN_TRACE = "Open trace"
TRACE_OPENED = "A kept trace is shown: {metre}, {steps} steps."
SCORES_FIGURE = "Scores of the beams over the steps, pādas marked"
MASKED_FIGURE = "Share of the tokens looked at that were masked"
BETA_FIGURE = "What the model gave, what β added and what repeated words cost, best beam"
TABLE_TWIN = "The same as a table"

ABOUT_TAB = "About"
ABOUT = """## What this is

The workbench turns English prose into Sanskrit verse whose metre is perfect by construction. A metre, written in a
script, is a finite automaton; every token that would leave it is masked before the model may choose it. So, as long as
the mask is on, a verse is full (every syllable of the right weight) for every model and every β, in anuṣṭubh and in two
hundred other metres.
What the verse says is the model's: it is measured, shown, and for people to judge.

- **akṣara**: a syllable as written. **laghu** (⏑) light, **guru** (–) heavy.
- **pāda**: a quarter of a verse; in anuṣṭubh, eight akṣaras.
  **pathyā** is its usual form, a **vipulā** one of four others.
- **β**: what the search adds to a verse in the making when a pāda is complete. **Beams**: verses grown side by side.

## What it does not do

It does not check grammar or sandhi. Most of what the embedded model has read is old, epics and treatises, much of it in
an English of the nineteenth century; of modern things it knows some words, and often says something near instead. The
meaning score is a model's opinion; where people have rated, it is calibrated to their scale, and says so."""
MODELS = "## Models"
CARD = "Model card: {name}"
RESULTS_SHOWN = "Figures, with the paper's beside them and a signature for each"
ADD_A_MODEL = """## Adding a model

Put a table like this into a file and name the file in the environment variable `PINGALA_MODELS`:

    [mine]
    kind = "translation"        # or "embedded", "instruction"
    where = "folder-or-hub-name"
    script = "devanagari"       # or "slp1"
    from = "eng_Latn"
    to = "san_Deva"

`python -m workbench models` lists what is known; `python -m workbench train tune` fine-tunes one."""
CITE = """## Citing

For the decoder, cite the paper; for a verse or a figure, add the signature that stands under it ("How it was made"): it
says which model, settings, data and versions made it.

    @misc{pingala2026,
      title  = {Pingala: Prosody-Aware Decoding for Sanskrit Poetry Generation},
      author = {Jagadeeshan, Manoj Balaji and Singh, Atul and Sahith, Nallani Chakravartula
                and Krishna, Amrith and Goyal, Pawan},
      year   = {2026}
    }"""

MEND_ASK = "words that fit"
MEND_SAYS = {
    "waits": "Looking for words …", "take": "Press one to take it.",
    "none": "Expected a word whose weights can be mended; found none. Is a syllable missing?",
    "by_hand": "Expected the verse above as it is shown here; it stands there otherwise. Change it by hand.",
    "failed": "The server did not answer; try again.",
}  # fmt: skip
HEAR = "hear:"
HEAR_HELP = "The rhythm of the grid: a short sound for a light syllable, one twice as long for a heavy one"
HEAR_ALOUD = "read aloud"
HEAR_ALOUD_HELP = "By the voice of this device, where it has one for Sanskrit or Hindi"
HEAR_SLOW, HEAR_FAST = "slow", "fast"
HEAR_TEMPO_NAME = "Tempo, in light syllables a minute"
HEAR_TEMPO = {"least": 90, "most": 420, "usual": 210}
HEAR_SAYS = {
    "rhythm": "rhythm", "stop": "stop", "voice": "Read by {voice}.",
    "no_voice": "This device has no voice for Sanskrit or Hindi.",
}  # fmt: skip
PICTURE = "picture:"
PICTURE_KINDS = ("PNG", "SVG")
PICTURE_HELP = "The verse with its grid as a picture to take away"
PICTURE_FILE = "verse"  # before .png or .svg
PICTURE_SAYS = {"saved": "{name} is saved.", "failed": "The picture could not be made; try again."}

# What a link shows where it is pasted.
PREVIEW_PROSE = "“{prose}” as Sanskrit verse"
PREVIEW_SCAN = "A Sanskrit verse, scanned: {metre}"
PREVIEW_VERSE = "In {metre}: {verse}"
PREVIEW_TO_COME = "Open it, and this sentence becomes a verse whose every syllable stands where the metre wants it."
PREVIEW_USUAL = "English prose becomes Sanskrit verse whose metre is perfect, and you see how it is found."

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
SCAN_TO_SAME = "As written"
SCAN_FILE = "File"
SCAN_FILE_LARGE = "Expected a file of at most {most} kB; got {size} kB."
SCAN_FILE_BYTES = "Expected a text file in UTF-8; got other bytes."
SCAN_SUMMARY = "{count} verses, {full} of them without fault"
SCAN_FAULTY = "With faults"
SCAN_NONE = "In no known metre"
SCAN_SAVE = ("Save table", "Save JSON", "Save text")
SCAN_COLUMNS = ("number", "verse", "metre", "state", "weights", "faults")
SCAN_SHARE = "Copy link"
SCAN_PRINT = "Print"
SCAN_LINK = "scan"  # what a link calls the verse it brings
SCAN_RUN = "Scan"
SCAN_CLEAR = "Clear"
SCAN_EXAMPLES = "Examples"
SCAN_EMPTY = "The scanned verse appears here."

METRES_TAB = "Metres"
METRES_INTRO = (
    "Every metre the workbench knows. Type a part of any of its names, with or without diacritics (shardula, sloka, "
    "मालिनी), or the number of syllables in a pāda, a quarter of the verse."
)
METRES_SEARCH = "Find a metre"
METRES_PLACEHOLDER = "vasantatilaka, sloka, 14 …"
METRES_FOUND = "Metres: {count}"
COMPOSE_IN_IT = "Compose in it"
SCAN_AS_IT = "Scan a verse as it"
ALSO_CALLED = "Also called"
GANAS_ARE = "Gaṇas (groups of three syllables) of a pāda"
YATI_IS = "Yati: a word should end after so many syllables"
A_VERSE_IN_IT = "A verse in it"
COMPOSED_IN_IT = (
    "Not of the tradition: composed by this workbench for “{prose}” It keeps the metre; nobody has looked at its "
    "Sanskrit."
)
NO_VERSE_IN_IT = "No verse of the tradition is quoted here yet. Compose in it makes one."
METRE_SOURCE = "Pattern after"
SIGNS = "– guru, heavy · ⏑ laghu, light · a dot: either weight · (a|b): one of these"
PADAS = "Pāda {numbers}"
FAMILIES = {
    "anuṣṭubh": "the śloka of the epics, whose odd pādas have a usual form and four others",
    "samavṛtta": "four pādas alike",
    "ardhasamavṛtta": "the first and third pāda alike, and the second and fourth",
    "viṣamavṛtta": "four different pādas",
    "upajāti": "pādas of near metres mixed",
    "jāti": "measured in morae: a light syllable counts one, a heavy one two",
    "daṇḍaka": "four pādas alike, longer than any other metre's: the last gaṇa comes again and again",
}

FULL = "every syllable fits"
LICENSED = "fits, with a licence of the tradition"
FAULTY = "does not fit yet"
INCOMPLETE = "not a whole verse"
UNKNOWN = "fits no metre of the table"
CHOOSER_HELP = "Type a name in any spelling, or the syllables of a pāda; arrows and Enter choose."
CHOOSER_NONE = "No metre of the table is called so."
CHOOSER_FOUND = "{count} metres"
CHOOSER_COMMON = "often chosen"
CHOOSER_LENGTH = "{kind}, 4 × {count}"
CHOOSER_MORAE, CHOOSER_OR = " {count} morae ", " or "
CHOOSER_HALVES = "{one} + {two} | {three} + {four} morae, in gaṇas of four"
CHOOSER_MIXED = "each pāda in one of {count}: {names}"
NO_METRE = "No known metre"
NEAR = "Also near"
PART_OF = "By itself it can be"
SHOULD_BE = "should be"
YATI = "yati (pause) {parts}"
SYLLABLE_COUNT = "{count} syllables"
MORA_COUNT = "{count} morae"
SKRUTABLE = "Another program, skrutable, says {label}, {score} of 9"
SKRUTABLE_NOTHING = "Another program, skrutable, has no verdict"
PROBLEMS = "What does not fit"
LICENCES = "What the tradition licenses"

BETA_CURVE = "What β does"
BETA_SAYS = (
    "**β, the weight of a completed pāda.** In the paper, where what top-k leaves out can strand a beam, some β is "
    "needed for metre. Here the mask is exact: every verse is full at every β, which decides only which beginnings "
    "survive. Sim is the mean of the judge that ranks, Sim (bi) the bi-encoder's; the paper's Sim is another judge's, "
    "and not to be held against ours."
)

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

READING_WAITS = "Reading what it says …"
READ_SO_FAR = "{count} read so far …"
NO_READER = (
    "No reader is installed here, so what the verse says cannot be shown. `python -m workbench train reader` makes one."
)
HEARD_WORDS = {"heard": "heard in the verse", "faintly": "heard faintly", "not heard": "not heard in the verse"}
LIKELIER = "{heard}: the verse makes this word {times} times as likely"
LESS_LIKELY = "{heard}: the verse makes this word {times} times less likely"
NO_LIKELIER = "{heard}: the verse hardly changes how likely this word is ({times} times as likely)"
MOST_TIMES = "over a million"
NOT_HEARD = "Not heard: {words}."
HEARD_COUNT = "{heard} of {of} words that say something are heard."
SCAN_READ = "What does it say?"

# The tour of a first visit; assets/tour.js has what each step points at. For who knows neither Sanskrit nor machines.
TOUR = "Tour"
TOUR_SAYS = {
    "next": "Next", "back": "Back", "leave": "Leave the tour", "done": "Done", "count": "{step} of {steps}",
    "steps": {
        "prose": {
            "title": "Say something in English",
            "text": "Write here what the verse should say: a sentence or two in plain words. Nothing in mind? Open "
            f"{EXAMPLES_LABEL}, further down, and take one.",
        },
        "compose": {
            "title": f"Press {COMPOSE}",
            "text": "The metre is the rhythm of the verse; the one that is set is good to begin with. Then press "
            f"{COMPOSE}. A verse takes some seconds, the first one a little longer.",
        },
        "verse": {
            "title": "The verse, syllable by syllable",
            "text": "An example stands here until yours comes. Every tile is a syllable: red ones, marked –, are heavy "
            "and take longer to say; the others, marked ⏑, are light. Touch one, and it says why.",
        },
        "reading": {
            "title": "What it says",
            "text": "You need no Sanskrit. Under your verse you will read in English what it says, and how much of "
            "your prose is heard in it. A machine reads it, and may be wrong.",
        },
        "tabs": {
            "title": "And then",
            "text": f"{WRITE_TAB} helps with a verse of your own, {SCAN_TAB} finds the rhythm of any verse, "
            f"{METRES_TAB} lists the rhythms, {ABOUT_TAB} explains the words. {TOUR}, at the top, shows this again.",
        },
    },
}  # fmt: skip
