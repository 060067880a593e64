"""The pages for people without a terminal: server-rendered, own styles, small scripts, nothing from elsewhere."""

from service.web._install import install_pages

__all__ = ["install_pages"]
