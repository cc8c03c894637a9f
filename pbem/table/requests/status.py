"""`status` and `preview`: look at what stands; the answer to the mail shows it."""

from pbem.table.requests.base import BaseRequest


class Status(BaseRequest, frozen=True, kw_only=True, tag="status"):
    """See what is on hand, and the form again; the moderator, who has ordered."""

    also = ("form",)
    is_for_moderator = True


class Preview(BaseRequest, frozen=True, kw_only=True, tag="preview"):
    """See what one's orders come to, as far as they alone decide it."""

    also = ("forecast",)
