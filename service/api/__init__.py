"""The HTTP door: routes, wire shapes, who may come in, and errors as responses."""

from service.api._access import check_metrics, check_start, login_path
from service.api._app import new_app
from service.api._deps import RunsDep, SettingsDep, SpacesDep, UserDep
from service.api._errors import ErrorPage
from service.api._files import attachment
from service.api._forms import AdoptForm, read_upload
from service.api._metrics import metrics_app
from service.api._wire import report_for

__all__ = [
    "AdoptForm",
    "ErrorPage",
    "RunsDep",
    "SettingsDep",
    "SpacesDep",
    "UserDep",
    "attachment",
    "check_metrics",
    "check_start",
    "login_path",
    "metrics_app",
    "new_app",
    "read_upload",
    "report_for",
]
