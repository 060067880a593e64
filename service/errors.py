"""Every error a person can meet: a code, a sentence with what to do, and parameters.

ServiceError
├── WorkbookRefused     the file is not a workbook flagbook can run            422
├── SpaceProblem        a space is unknown, closed or wrongly described        422
├── AssistantFailed     a question could not be answered (a row's error)       502
├── JudgeUnavailable    a verdict could not be given (a row's error)           502
├── EndpointFailed      a call to a model's endpoint failed (a row's error)    502
│   └── EndpointClosed  no call can succeed until somebody mends it            502
├── RunProblem          a run does not exist or is in the wrong state          404, 409, 503
├── AccessDenied        token, host or origin refused                          401, 403
├── NiahProblem         an experiment, a cell or a haystack cannot be used        422
├── RequestRefused      a request the service cannot serve as it was sent      404, 405, 413, 422
└── SetupProblem        settings or files with which flagbook cannot start     500

The classes below are the only list of codes; docs/errors.md and the HTTP status table are made from it.
"""

from collections.abc import Iterator
from typing import Any, ClassVar


class ServiceError(Exception):
    """An error with a stable `code`; `sentence` is filled with `params`."""

    code: ClassVar[str] = ""
    sentence: ClassVar[str] = ""
    status: ClassVar[int] = 500

    def __init__(self, **params: Any) -> None:
        self.params = params
        super().__init__(self.sentence.format(**params))

    @property
    def message(self) -> str:
        """Return the sentence for the person."""
        return str(self)

    def as_dict(self) -> dict[str, Any]:
        """Return the wire shape `{message, code, params}`."""
        return {"message": self.message, "code": self.code, "params": self.params}


class WorkbookRefused(ServiceError):
    status = 422


class SpaceProblem(ServiceError):
    status = 422


class AssistantFailed(ServiceError):
    status = 502


class JudgeUnavailable(ServiceError):
    status = 502


class EndpointFailed(ServiceError):
    status = 502


class EndpointClosed(EndpointFailed):
    """A run may stop at the first of these: every further call would fail in the same way."""


class RunProblem(ServiceError):
    status = 409


class NiahProblem(ServiceError):
    status = 422


class AccessDenied(ServiceError):
    status = 403


class RequestRefused(ServiceError):
    status = 422


class SetupProblem(ServiceError):
    status = 500


# --- spaces -------------------------------------------------------------------------------------------------------


class SpaceUnknown(SpaceProblem):
    code = "space_unknown"
    sentence = "There is no space named “{space}”. Known spaces: {known}. Correct the name in column Assistant."


class SpaceNotMember(SpaceProblem):
    code = "space_not_member"
    sentence = "You are not a member of the space “{space}”; ask its owner to add you, or remove these rows."


class SpaceBroken(SpaceProblem):
    code = "space_broken"
    sentence = "The space “{space}” cannot be asked: {problem} Correct its entry in the spaces file."


class SpacesFileBroken(SetupProblem):
    code = "spaces_file_broken"
    sentence = "The spaces file {path} cannot be used: {problem}"


# --- assistants ---------------------------------------------------------------------------------------------------


class DocumentsUnreadable(AssistantFailed):
    code = "documents_unreadable"
    sentence = "The documents of “{space}” cannot be read: {problem} Mend or remove the file, then ask again."


class AnswerEmpty(AssistantFailed):
    code = "answer_empty"
    sentence = "The assistant of “{space}” sent an empty answer (model {model}). Try the row again."


class AnswerFiltered(AssistantFailed):
    code = "answer_filtered"
    sentence = "A content filter stopped the answer of the assistant of “{space}” (model {model})."


class ModuleNotChosen(AssistantFailed):
    code = "module_not_chosen"
    sentence = "The module selector of “{space}” did not choose one of its modules: {problem}"


class AnswerScripted(AssistantFailed):
    code = "answer_scripted"
    sentence = "The echo assistant of “{space}” was told to fail this question."


class AssistantUnreachable(AssistantFailed):
    code = "assistant_unreachable"
    sentence = "The assistant of “{space}” did not answer ({problem}). Try the row again later."


# --- endpoints, judge, embedder -----------------------------------------------------------------------------------


class EndpointTimeout(EndpointFailed):
    code = "endpoint_timeout"
    sentence = (
        "{endpoint} (model {model}) did not answer within {seconds:g} s, tried {tries} times. "
        "Try again later, or raise FLAGBOOK_CALL_TIMEOUT_S."
    )


class EndpointUnreachable(EndpointFailed):
    code = "endpoint_unreachable"
    sentence = "{endpoint} could not be reached ({problem}), tried {tries} times. Check address, network and proxy."


class EndpointRateLimited(EndpointFailed):
    code = "endpoint_rate_limited"
    sentence = (
        "{endpoint} (model {model}) kept answering “too many requests”, tried {tries} times. "
        "Lower the concurrency, or try again later."
    )


class EndpointBroken(EndpointFailed):
    code = "endpoint_broken"
    sentence = "{endpoint} (model {model}) failed ({problem}), tried {tries} times. Try again later."


class EndpointRefusedRequest(EndpointFailed):
    code = "endpoint_refused_request"
    sentence = "{endpoint} (model {model}) refused the request: {problem}"


class EndpointTextTooLong(EndpointFailed):
    code = "endpoint_text_too_long"
    sentence = "The text is longer than {endpoint} (model {model}) reads at once. Take a model with a longer context."


class EndpointFiltered(EndpointFailed):
    code = "endpoint_filtered"
    sentence = "The content filter of {endpoint} (model {model}) blocked the question or the answer."


class EndpointKeyRejected(EndpointClosed):
    code = "endpoint_key_rejected"
    sentence = "{endpoint} rejected the key in the variable {variable} (status {status}). Check the key and its rights."


class EndpointQuotaUsedUp(EndpointClosed):
    code = "endpoint_quota_used_up"
    sentence = "The quota of the key in the variable {variable} at {endpoint} is used up. Raise it, then resume."


class EndpointModelUnknown(EndpointClosed):
    code = "endpoint_model_unknown"
    sentence = "{endpoint} knows no model “{model}” (or nothing at this address). Check model and base_url."


class EmbedderUnreachable(EndpointClosed):
    code = "embedder_unreachable"
    sentence = (
        "The embedder at {endpoint} could not be reached ({problem}), tried {tries} times. "
        "Check FLAGBOOK_EMBEDDER_BASE_URL, network and proxy, then resume."
    )


class CostLimitReached(EndpointClosed):
    code = "cost_limit_reached"
    sentence = (
        "The run stopped before its next calls could exceed the limit of {limit} (at most {spent} spent so far). "
        "What is done can be downloaded; resume it with a higher limit (--max-cost) for the other rows."
    )


class KeyMissing(SetupProblem):
    code = "key_missing"
    sentence = "The variable {variable} is not set; it must hold the key of {endpoint}. Set it and start again."


class JudgeMalformed(JudgeUnavailable):
    code = "judge_malformed"
    sentence = "The judge {model} gave no usable verdict on {rubric}, also not when asked again: {problem}"


class JudgeTruncated(JudgeUnavailable):
    code = "judge_truncated"
    sentence = "The reply of the judge {model} on {rubric} broke off before its end."


class JudgeRefused(JudgeUnavailable):
    code = "judge_refused"
    sentence = "The judge {model} declined to give a verdict on {rubric}: {problem}"


class JudgeFiltered(JudgeUnavailable):
    code = "judge_filtered"
    sentence = "A content filter stopped the reply of the judge {model} on {rubric}."


class JudgeEmpty(JudgeUnavailable):
    code = "judge_empty"
    sentence = "The judge {model} sent an empty reply on {rubric}, also when asked again."


class JudgeTextTooLong(JudgeUnavailable):
    code = "judge_text_too_long"
    sentence = (
        "Question, answers and sources are {length} tokens long, more than the judge may be given at once ({limit}), "
        "and cannot be judged in parts. Nothing was cut; raise FLAGBOOK_JUDGE_WINDOW_TOKENS for one that reads more."
    )


# raised in the room of flags, where they carry the same codes


class JudgeCannotTell(JudgeUnavailable):
    code = "judge_cannot_tell"
    sentence = "The judge could not tell: {reason} Look at the row; a stronger judge may be able to."


class JudgeUnable(JudgeUnavailable):
    code = "judge_unable"
    sentence = "The local judge has no rules for “{rubric}”: it needs a language model as judge."


class EmbeddingUnusable(JudgeUnavailable):
    code = "embedding_unusable"
    sentence = "The embedding model returned numbers that cannot be compared. Check FLAGBOOK_EMBEDDER."


class FlagFailed(JudgeUnavailable):
    code = "flag_error"
    sentence = "A flag failed ({problem}); the log of the service says more."


class NothingJudged(JudgeUnavailable):
    code = "nothing_judged"
    sentence = "No flag that counts could be given. See the setting final.counts, and what the flags need."


class EmbedderMissing(SetupProblem):
    code = "embedder_missing"
    sentence = (
        "The embedder “{embedder}” cannot be loaded: {problem} Check FLAGBOOK_EMBEDDER: packaged, "
        "the name or folder of a sentence-transformers model, or openai:MODEL."
    )


class EntailmentMissing(SetupProblem):
    code = "entailment_missing"
    sentence = (
        "The model of inference “{model}” cannot be used: {problem} Check FLAGBOOK_NLI_MODEL: the name or folder of a "
        "sentence-transformers cross-encoder that tells entailment from contradiction, or nothing."
    )


# --- vocabulary ---------------------------------------------------------------------------------------------------


class VocabularyBroken(SetupProblem):
    code = "vocabulary_broken"
    sentence = "The packaged vocabulary cl100k_base cannot be used: {problem}. Install flagbook again."


# --- runs ---------------------------------------------------------------------------------------------------------


class ApprovedUnknown(RunProblem):
    code = "approved_unknown"
    sentence = "There is no accepted answer {approved}."
    status = 404


class ReviewsMissing(RunProblem):
    status = 422
    code = "reviews_missing"
    sentence = (
        "There is no review in {files}. Write yes or no into human_review_answer_correct for some rows of a result: "
        "flagged ones and those of the audit sample."
    )


class RunUnknown(RunProblem):
    code = "run_unknown"
    sentence = "There is no run {run}."
    status = 404


class RunNotReady(RunProblem):
    code = "run_not_ready"
    sentence = "The run {run} is still going on; wait until it is ready, or cancel it."


class OptionsRefused(RunProblem):
    code = "options_refused"
    sentence = "The option {option} cannot be used: {problem}"
    status = 422


class PriceUnknown(RunProblem):
    code = "price_unknown"
    status = 422
    sentence = (
        "A limit of the cost needs the price of every model; unknown: {models}. "
        "Write them into the file that FLAGBOOK_PRICES names, or run without the limit."
    )


class PricesBroken(SetupProblem):
    code = "prices_broken"
    sentence = "The prices in {path} cannot be used: {problem}"


class HomeUnusable(SetupProblem):
    code = "home_unusable"
    sentence = "flagbook cannot work in {home}: {problem}. Make the folder writable, or set FLAGBOOK_HOME to another."


class DatabaseUnusable(SetupProblem):
    code = "database_unusable"
    sentence = "The database {database} cannot be used: {problem}. Check FLAGBOOK_DATABASE_URL and the server."


class DatabaseNewer(SetupProblem):
    code = "database_newer"
    sentence = "The database {database} was made by a newer flagbook. Install that version again, or use another home."


class HomeBusy(SetupProblem):
    code = "home_busy"
    sentence = "Another flagbook ({executor}) already works in {home}. Stop it, or set FLAGBOOK_HOME to another folder."


class RunBroken(RunProblem):
    code = "run_broken"
    sentence = "The run stopped because of a fault of the service ({problem}). What was answered is kept."
    status = 500


class RowBroken(RunProblem):
    code = "internal_error_in_row"
    sentence = "A fault of the service kept this row from being answered or judged ({problem}); its log says more."
    status = 500


class AnswerMissing(RunProblem):
    code = "answer_missing"
    sentence = "Nothing was asked in this run, and the row holds no answer that could be judged."
    status = 422


# --- engine -------------------------------------------------------------------------------------------------------


class FileOfOtherRun(RunProblem):
    code = "file_of_other_run"
    sentence = (
        "This file is not the result of run {run}: {found}. Give the workbook you downloaded from this run, reviewed, "
        "with its sheet Run in place."
    )


class RunComplete(RunProblem):
    code = "run_complete"
    sentence = "In the run {run} no row failed or is missing, so there is nothing to resume."


class NotReady(RunProblem):
    code = "not_ready"
    sentence = "The service cannot work at the moment: {failing} does not answer. Look at its log and at the database."
    status = 503


class DatabaseFull(RunProblem):
    code = "database_full"
    sentence = (
        "The disk of the database is full or cannot be written, so nothing more can be stored. "
        "What was stored is kept; make room, then resume the run."
    )
    status = 507


class WorkerAlone(SetupProblem):
    code = "worker_alone"
    sentence = (
        "A worker shares its runs with `flagbook serve` over a database server, and none is named. "
        "Set FLAGBOOK_DATABASE_URL to the same postgresql://… for both."
    )


# --- doors --------------------------------------------------------------------------------------------------------


class TokenMissing(AccessDenied):
    code = "token_missing"
    sentence = (
        "This service asks for its token. Send it as “Authorization: Bearer …”, or open the login link "
        "that was printed when the service started."
    )
    status = 401


class HostRefused(AccessDenied):
    code = "host_refused"
    sentence = (
        "The service does not answer to the name “{host}”. Use the address it was started with, "
        "or add the name to FLAGBOOK_ALLOWED_HOSTS."
    )


class OriginRefused(AccessDenied):
    code = "origin_refused"
    sentence = "The request came from another site ({origin}) and was not carried out. Do it on flagbook's own page."


class TokenRequired(SetupProblem):
    code = "token_required"
    sentence = (
        "flagbook would listen on {host}, where other machines can reach it, and that needs a token. "
        "Set FLAGBOOK_TOKEN to a long random text, or listen on 127.0.0.1."
    )


class RequestInvalid(RequestRefused):
    code = "request_invalid"
    sentence = "The request cannot be used: {problem}"


class UploadTooLarge(RequestRefused):
    code = "upload_too_large"
    sentence = (
        "The file is larger than {max_mb} MB and was not read. Remove pictures or sheets that are not needed, "
        "split the questions over several files, or raise FLAGBOOK_MAX_UPLOAD_MB."
    )
    status = 413


class AddressUnknown(RequestRefused):
    code = "address_unknown"
    sentence = "There is nothing at {path}."
    status = 404


class MethodRefused(RequestRefused):
    code = "method_refused"
    sentence = "{method} is not possible at {path}."
    status = 405


class InternalFault(ServiceError):
    code = "internal_error"
    sentence = "Something went wrong inside flagbook. The service's log says more under the reference {reference}."


# --- command line -------------------------------------------------------------------------------------------------


class FileUnreadable(SetupProblem):
    code = "file_unreadable"
    sentence = "The file {path} cannot be read: {problem}. Check the name and that you may open it."


class OutputRefused(SetupProblem):
    code = "output_refused"
    sentence = "The result cannot be written to {path}: {problem}."


class SettingsBroken(SetupProblem):
    code = "settings_broken"
    sentence = "The setting {name} cannot be used: {problem}"


class AddressTaken(SetupProblem):
    code = "address_taken"
    sentence = "flagbook cannot listen on {host}, port {port}: {problem}. Choose another with --port."


class CommandBroke(SetupProblem):
    code = "command_broke"
    sentence = (
        "Something went wrong inside flagbook ({problem}). Run it again with -v before the command to see where, "
        "and please report it."
    )


class CommandMistyped(SetupProblem):
    code = "command_mistyped"
    sentence = "{problem}. Put --help behind the command to see what it takes."


class ExamplesMissing(SetupProblem):
    code = "examples_missing"
    sentence = "The examples were not found beside flagbook ({path}); install flagbook again."


# --- workbook -----------------------------------------------------------------------------------------------------


class WorkbookEmptyFile(WorkbookRefused):
    code = "workbook_empty_file"
    sentence = "The file is empty (0 bytes). Save the workbook again and upload it once more."


class WorkbookDamaged(WorkbookRefused):
    code = "workbook_damaged"
    sentence = "The file is damaged or incomplete ({problem}). Open it in Excel, let it repair the file, and save it."


class WorkbookEncrypted(WorkbookRefused):
    code = "workbook_encrypted"
    sentence = "The workbook is protected with a password. Remove the password in Excel (File, Info) and save it."


class WorkbookOldXls(WorkbookRefused):
    code = "workbook_old_xls"
    sentence = "This is a workbook in the old .xls format. Save it as “Excel Workbook (.xlsx)”."


class WorkbookBinaryXlsb(WorkbookRefused):
    code = "workbook_xlsb"
    sentence = "This is a binary workbook (.xlsb). Save it as “Excel Workbook (.xlsx)”."


class WorkbookOds(WorkbookRefused):
    code = "workbook_ods"
    sentence = "This is an OpenDocument spreadsheet (.ods). Save it as “Excel Workbook (.xlsx)”."


class WorkbookOtherDocument(WorkbookRefused):
    code = "workbook_other_document"
    sentence = "This is {kind}, not a workbook. Put the questions into the template and upload that."


class WorkbookText(WorkbookRefused):
    code = "workbook_text"
    sentence = (
        "This is a CSV or text file, not an Excel workbook. Name it .csv, or save it as “Excel Workbook (.xlsx)”."
    )


class WorkbookHtml(WorkbookRefused):
    code = "workbook_html"
    sentence = "This is a web page (HTML), not an Excel workbook. Open it in Excel and save it as .xlsx."


class WorkbookXml(WorkbookRefused):
    code = "workbook_xml"
    sentence = "This is an XML file, not an Excel workbook. Open it in Excel and save it as .xlsx."


class WorkbookMacros(WorkbookRefused):
    code = "workbook_macros"
    sentence = "Workbooks with macros (.xlsm) are not accepted. Save it as “Excel Workbook (.xlsx)”."


class WorkbookUnrecognised(WorkbookRefused):
    code = "workbook_unrecognised"
    sentence = "This is not an Excel workbook. Upload a file saved as “Excel Workbook (.xlsx)”, or a CSV file."


class WorkbookTooLarge(WorkbookRefused):
    code = "workbook_too_large"
    sentence = "The workbook is too large: {what} exceeds {limit}. Divide it, or remove sheets and pictures not needed."
    status = 413


class WorkbookTooSlow(WorkbookRefused):
    code = "workbook_too_slow"
    sentence = (
        "The workbook could not be handled within {seconds} s. Copy the questions into the template and try again."
    )


class WorkbookForbiddenXml(WorkbookRefused):
    code = "workbook_forbidden_xml"
    sentence = "The file contains a document type definition (DTD), which no workbook needs; it is not opened."


class WorkbookNoSheet(WorkbookRefused):
    code = "workbook_no_sheet"
    sentence = "The workbook has no visible sheet with cells. Unhide the sheet with the questions."


class WorkbookSheetEmpty(WorkbookRefused):
    code = "workbook_sheet_empty"
    sentence = "The sheet “{sheet}” is empty. Put a header row and questions into it, or start from the template."


class WorkbookSheetUnknown(WorkbookRefused):
    code = "workbook_sheet_unknown"
    sentence = "There is no sheet “{sheet}” in the workbook. Its sheets are: {sheets}."


class WorkbookTwoSheets(WorkbookRefused):
    code = "workbook_two_sheets"
    sentence = "More than one sheet holds questions: {sheets}. Choose one, or hide the others."


class WorkbookHeaderMissing(WorkbookRefused):
    code = "workbook_header_missing"
    sentence = (
        "No column is headed {column} in the first {rows} rows of sheet “{sheet}” (found: {found}). "
        "Correct the header, or start from the template."
    )


class WorkbookHeaderAmbiguous(WorkbookRefused):
    code = "workbook_header_ambiguous"
    sentence = "More than one column is headed {header}: {cells}. Rename all but one."


class WorkbookNoQuestions(WorkbookRefused):
    code = "workbook_no_questions"
    sentence = "No questions were found below the header row {header_row} of sheet “{sheet}”. Fill column {column}."


class WorkbookNothingToAsk(WorkbookRefused):
    code = "workbook_nothing_to_ask"
    sentence = "No row can be run: {problem} ({count} rows in all). Correct the cells and save the workbook."


class WorkbookFormulasUnsaved(WorkbookRefused):
    code = "workbook_formulas_unsaved"
    sentence = "{cells} hold formulas without stored results. Open the workbook in Excel, save it, and upload it again."


class WorkbookUnverified(WorkbookRefused):
    code = "workbook_unverified"
    sentence = "The finished workbook did not pass its last check ({problem}) and is not delivered. Report this."
    status = 500


class CsvUndecodable(WorkbookRefused):
    code = "csv_undecodable"
    sentence = "The CSV file is not readable text ({problem}). Save it as “CSV UTF-8”, or as an Excel workbook."


class CsvBroken(WorkbookRefused):
    code = "csv_broken"
    sentence = "The CSV file cannot be read: {problem}. Check the quotation marks around texts with line breaks."


class WorkbookIsExperiment(WorkbookRefused):
    code = "workbook_is_experiment"
    sentence = (
        "The workbook holds a needle-in-a-haystack experiment; only benchmark questions are adopted and compared."
    )


class CellProblem(WorkbookRefused):
    """What is found wrong with one cell; such a row is not asked, or runs with a note."""


class CellErrorValue(CellProblem):
    code = "cell_error_value"
    sentence = "{cell} holds the error value {value}. Correct the cell; this row was not asked."


class CellFormulaUnsaved(CellProblem):
    code = "cell_formula_unsaved"
    sentence = (
        "{cell} holds a formula without a stored result. Open and save the workbook in Excel; this row was not asked."
    )


class CellAssistantEmpty(CellProblem):
    code = "cell_assistant_empty"
    sentence = "{cell} is empty: the row names no assistant to ask. Fill column Assistant; this row was not asked."


class CellQuestionEmpty(CellProblem):
    code = "cell_question_empty"
    sentence = "{cells} empty although the row names an assistant: there is nothing to ask, and the row is passed over."


class CellTooLong(CellProblem):
    code = "cell_too_long"
    sentence = "{cell} holds {length} characters, more than a cell may ({limit}). Shorten it; this row was not asked."


class CellYesNoUnknown(CellProblem):
    code = "cell_yes_no_unknown"
    sentence = "{cell} holds “{value}”, which is neither yes nor no; it is read as not said."


class CellYesNoEmpty(CellProblem):
    code = "cell_yes_no_empty"
    sentence = "{cell} is empty while other rows say yes or no; it is read as not said."


class CellNotText(CellProblem):
    code = "cell_not_text"
    sentence = "{cell} holds {kind}; it is read as the text “{value}”."


class CellErrorIgnored(CellProblem):
    code = "cell_error_ignored"
    sentence = "{cell} holds the error value {value}; it is read as empty."


class HeaderSecondName(CellProblem):
    code = "header_second_name"
    sentence = "{cell} “{text}” could also mean {header}, which stands in {other}; it is left alone."


class CsvRowsAbove(CellProblem):
    code = "csv_rows_above"
    sentence = "What stands above the header row of the CSV file is not taken over into the workbook: {text}."


class HeaderAnswerAlone(CellProblem):
    code = "header_answer_alone"
    sentence = (
        "{cell} is read as the new answer and will be overwritten by a run. "
        "If it holds the accepted answers, head it answer_benchmark."
    )


# --- needle in a haystack -----------------------------------------------------------------------------------------
# the first six are raised in the room of flags, where they carry the same codes


class NiahConfigRefused(NiahProblem):
    code = "niah_config_refused"
    sentence = "The experiment cannot be planned: {problem}"


class NiahCellRefused(NiahProblem):
    code = "niah_cell_refused"
    sentence = "{cell}: {problem}"


class NiahExpectedRefused(NiahProblem):
    code = "niah_expected_refused"
    sentence = "The expected answer cannot be compared with: {problem}"


class NiahHaystackTooShort(NiahProblem):
    code = "niah_haystack_too_short"
    sentence = "The document cannot be built: {problem}"


class NiahHaystackUnknown(NiahProblem):
    code = "niah_haystack_unknown"
    sentence = "{cell}: {problem} Import it with `flagbook niah corpus add`."


class NiahDocumentImpossible(NiahProblem):
    code = "niah_document_impossible"
    sentence = "The document cannot be built: {problem}"


class NiahWindowExceeded(NiahProblem):
    code = "niah_window_exceeded"
    sentence = (
        "The prompt has {prompt} tokens and the answer may have {answer}: more than the {window} of the window of "
        "“{space}”. Nothing was asked."
    )


class NiahAnswerCut(NiahProblem):
    code = "niah_answer_cut"
    sentence = "The answer was cut after {tokens} tokens. Set a larger max_tokens and plan the experiment again."


class NiahCorpusChanged(NiahProblem):
    code = "niah_corpus_changed"
    sentence = "The haystack “{name}” is no longer the one this run was started with. Import the same text again."


class NiahJudgeMissing(NiahProblem):
    code = "judge_missing"
    sentence = "The scorer llm_judge needs a language model as judge, and none is set. Set its key and FLAGBOOK_JUDGE."


class ExperimentMissing(NiahProblem):
    code = "niah_experiment_missing"
    sentence = "The workbook holds questions (sheet {sheet}) and no sheet NIAH. `flagbook niah plan` makes one."


class ExperimentNotRun(NiahProblem):
    code = "niah_experiment_not_run"
    sentence = "No cell of the experiment has a result yet. Run it first: `flagbook run niah.xlsx -o result.xlsx`."


class HaystackEmpty(NiahProblem):
    code = "haystack_empty"
    sentence = "No haystack could be gathered: {problem}."


class HaystackNotFetched(NiahProblem):
    code = "haystack_not_fetched"
    sentence = "{url} could not be read ({problem}). Try later, or import files of your own with `niah corpus add`."
    status = 502


class CorpusUnknown(NiahProblem):
    code = "corpus_unknown"
    sentence = "There is no corpus “{name}”. `flagbook niah corpus list` shows those there are."
    status = 404


class CorpusSourceUnclear(NiahProblem):
    code = "corpus_source_unclear"
    sentence = "Say where the corpus comes from: one of PATH, --wikipedia LANGUAGE and --arxiv."


class CorpusNameTaken(NiahProblem):
    code = "corpus_name_taken"
    sentence = "Another text is kept under the name “{name}”. Choose another name, or remove that corpus first."
    status = 409


# --- the list -----------------------------------------------------------------------------------------------------


def every_error() -> Iterator[type[ServiceError]]:
    """Yield each concrete error class, in the order written above."""
    pending = list(ServiceError.__subclasses__())
    while pending:
        kind = pending.pop(0)
        pending[:0] = kind.__subclasses__()
        if kind.code:
            yield kind


def niah_problem(error: Exception, cell: str = "This cell") -> NiahProblem:
    """Return an error of `flags.niah` as one that doors show; `cell` says which cell it is about."""
    code = getattr(error, "code", "")
    kind = next((kind for kind in NiahProblem.__subclasses__() if kind.code == code), NiahCellRefused)
    return kind(problem=str(error), cell=cell)


def code_of(error: Exception) -> str:
    """Return the code under which an error is recorded for a row; flags' own errors carry theirs."""
    from flags import FlagError, JudgeFailed  # carries numpy: the child that reads one workbook must start at once

    if isinstance(error, ServiceError):
        return error.code
    if isinstance(error, JudgeFailed):
        return error.code
    return "flag_error" if isinstance(error, FlagError) else "internal_error"
