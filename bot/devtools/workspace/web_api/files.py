"""files.*: uploads in three steps, and their end.

docs: reference/methods/files.getUploadURLExternal, files.completeUploadExternal, files.delete,
messaging/working-with-files
"""

from typing import Final

from bot.devtools.workspace.delivery import payloads
from bot.devtools.workspace.state import Upload
from bot.devtools.workspace.values import Json, WorkspaceFile, shape
from bot.devtools.workspace.web_api.chat import thread_root
from bot.devtools.workspace.web_api.method import ApiError, Args, Method, MethodContext, refused


def get_upload_url(context: MethodContext, args: Args) -> Json:
    """Begin an upload. Raises `ApiError`."""
    name, length = args.required("filename"), args.required("length")
    if not length.isdigit():
        raise refused("invalid_arguments", ["[ERROR] must be an integer [json-pointer:/length]"])
    if int(length) == 0:
        raise ApiError("missing_argument")
    file_id = context.workspace.next_id("F")
    context.workspace.uploads[file_id] = Upload(name, int(length))
    return {"upload_url": f"{context.host_url}upload/v1/{file_id}", "file_id": file_id}


def receive(uploads: dict[str, Upload], file_id: str, content: bytes) -> str:
    """The upload URL's own answer: empty when the bytes were taken."""
    upload = uploads.get(file_id)
    if upload is None:
        return "file_not_found"
    if len(content) != upload.length:
        return f"expected {upload.length} bytes, got {len(content)}"
    upload.content = content
    return ""


def complete_upload(context: MethodContext, args: Args) -> Json:
    """Share what was uploaded. Raises `ApiError`."""
    items = args.object("files", "invalid_arguments")
    if not isinstance(items, list) or not items:
        raise refused("invalid_arguments", ["[ERROR] missing required field: files"])
    target = args.text("channel_id") or args.text("channels").partition(",")[0]
    channel = context.open_channel(Args({"channel": target})) if target else None
    thread_ts = thread_root(context, channel, args) if channel else None
    shared = []
    for item in items:
        upload = (
            context.workspace.uploads.get(item.get("id", "")) if isinstance(item, dict) else None
        )
        if upload is None or upload.content is None:
            raise ApiError("file_not_found")
        title = item.get("title") or upload.name
        where = channel.name if channel else None
        shared.append(
            WorkspaceFile(item["id"], upload.name, title, upload.content, where, thread_ts)
        )
    for file in shared:
        del context.workspace.uploads[file.id]
    context.workspace.files += shared
    listed = [file_shown(context.workspace_url, file, context.bot_user_id) for file in shared]
    if channel is not None:
        comment = args.text("initial_comment")
        post = context.workspace.bot_post(channel, comment, thread_ts=thread_ts, files=listed)
        context.announcer.publish(post)
    return {"files": listed}


def delete_file(context: MethodContext, args: Args) -> Json:
    """The message it was shared in goes with it, when there is nothing else in it.

    Raises `ApiError`.
    """
    world, file_id = context.workspace, args.text("file")
    if file_id not in [file.id for file in world.files]:
        raise ApiError("file_not_found")
    world.files = [file for file in world.files if file.id != file_id]
    world.changes.count()
    for post in list(world.posts.values()):
        others = [file for file in post.files if file["id"] != file_id]
        if len(others) == len(post.files):
            continue
        if post.text or others:
            before = payloads.message(post)
            post.files = others
            context.announcer.changed(post, before)
        else:
            context.announcer.delete(post)
    return {}


def file_shown(workspace_url: str, file: WorkspaceFile, user: str) -> Json:
    kind = file.name.rpartition(".")[2].casefold() if "." in file.name else "binary"
    link = f"{workspace_url}files/{user}/{file.id}/{file.name}"
    is_text = kind in ("txt", "md", "csv")
    return shape(
        "file",
        id=file.id,
        name=file.name,
        title=file.title,
        filetype=kind,
        mimetype="text/plain" if is_text else "application/octet-stream",
        size=len(file.content),
        user=user,
        url_private=link,
        permalink=link,
    )


METHODS: Final = {
    "files.getUploadURLExternal": Method(get_upload_url, "files:write", form_only=True, tier=4),
    "files.completeUploadExternal": Method(complete_upload, "files:write", tier=4),
    "files.delete": Method(delete_file, "files:write"),
}
