"""Every error a person can meet: a code, a sentence with what to do, and parameters.

ServiceError
├── WorkbookRefused     the file is not a workbook flagbook can run            422
├── SpaceProblem        a space is unknown, closed or wrongly described        422
├── AssistantFailed     a question could not be answered (a row's error)       502
├── JudgeUnavailable    a verdict could not be given (a row's error)           502
├── RunProblem          a run does not exist or is in the wrong state          404, 409
├── AccessDenied        token, host or origin refused                          401, 403
├── RequestRefused      a request the service cannot serve as it was sent      404, 405, 413, 422
└── SetupProblem        settings or files with which flagbook cannot start     500

The classes below are the only list of codes; docs/errors.md and the HTTP status table are made from it.
"""

from collections.abc import Iterator
from typing import Any, ClassVar

from flags import FlagError, JudgeFailed


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


class RunProblem(ServiceError):
    status = 409


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


class ModuleNotChosen(AssistantFailed):
    code = "module_not_chosen"
    sentence = "The module selector of “{space}” did not choose one of its modules: {problem}"


class AnswerScripted(AssistantFailed):
    code = "answer_scripted"
    sentence = "The echo assistant of “{space}” was told to fail this question."


class AssistantUnreachable(AssistantFailed):
    code = "assistant_unreachable"
    sentence = "The assistant of “{space}” did not answer ({problem}). Try the row again later."


# --- runs ---------------------------------------------------------------------------------------------------------


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


class RunBroken(RunProblem):
    code = "run_broken"
    sentence = "The run stopped because of a fault of the service ({problem}). What was answered is kept."
    status = 500


class AnswerMissing(RunProblem):
    code = "answer_missing"
    sentence = "Nothing was asked in this run, and the row holds no answer that could be judged."
    status = 422


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


class ExamplesMissing(SetupProblem):
    code = "examples_missing"
    sentence = "The examples were not found beside flagbook ({path}); install flagbook again."


# --- the list -----------------------------------------------------------------------------------------------------


def every_error() -> Iterator[type[ServiceError]]:
    """Yield each concrete error class, in the order written above."""
    pending = list(ServiceError.__subclasses__())
    while pending:
        kind = pending.pop(0)
        pending[:0] = kind.__subclasses__()
        if kind.code:
            yield kind


def code_of(error: Exception) -> str:
    """Return the code under which an error is recorded for a row; flags' own errors carry theirs."""
    if isinstance(error, ServiceError):
        return error.code
    if isinstance(error, JudgeFailed):
        return error.code
    return "flag_error" if isinstance(error, FlagError) else "internal_error"
