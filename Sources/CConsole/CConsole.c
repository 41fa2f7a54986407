// The console's files. A new file has an array and a line in the table.
#include "CConsole.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char api_js[] = {
#embed "files/api.js"
};
static const unsigned char app_js[] = {
#embed "files/app.js"
};
static const unsigned char behavior_document_js[] = {
#embed "files/behavior-document.js"
};
static const unsigned char behavior_edit_js[] = {
#embed "files/behavior-edit.js"
};
static const unsigned char behavior_explain_js[] = {
#embed "files/behavior-explain.js"
};
static const unsigned char behavior_history_js[] = {
#embed "files/behavior-history.js"
};
static const unsigned char behavior_live_js[] = {
#embed "files/behavior-live.js"
};
static const unsigned char behavior_promote_js[] = {
#embed "files/behavior-promote.js"
};
static const unsigned char behavior_releases_js[] = {
#embed "files/behavior-releases.js"
};
static const unsigned char behavior_state_js[] = {
#embed "files/behavior-state.js"
};
static const unsigned char board_cables_js[] = {
#embed "files/board-cables.js"
};
static const unsigned char board_commands_js[] = {
#embed "files/board-commands.js"
};
static const unsigned char board_data_js[] = {
#embed "files/board-data.js"
};
static const unsigned char board_drag_js[] = {
#embed "files/board-drag.js"
};
static const unsigned char board_keys_js[] = {
#embed "files/board-keys.js"
};
static const unsigned char board_row_js[] = {
#embed "files/board-row.js"
};
static const unsigned char board_css[] = {
#embed "files/board.css"
};
static const unsigned char call_form_js[] = {
#embed "files/call-form.js"
};
static const unsigned char commands_js[] = {
#embed "files/commands.js"
};
static const unsigned char completion_js[] = {
#embed "files/completion.js"
};
static const unsigned char conflict_js[] = {
#embed "files/conflict.js"
};
static const unsigned char console_css[] = {
#embed "files/console.css"
};
static const unsigned char dialogs_js[] = {
#embed "files/dialogs.js"
};
static const unsigned char difference_view_js[] = {
#embed "files/difference-view.js"
};
static const unsigned char dom_js[] = {
#embed "files/dom.js"
};
static const unsigned char editor_checks_js[] = {
#embed "files/editor-checks.js"
};
static const unsigned char editor_js[] = {
#embed "files/editor.js"
};
static const unsigned char events_js[] = {
#embed "files/events.js"
};
static const unsigned char formats_js[] = {
#embed "files/formats.js"
};
static const unsigned char icon_svg[] = {
#embed "files/icon.svg"
};
static const unsigned char index_html[] = {
#embed "files/index.html"
};
static const unsigned char json_text_js[] = {
#embed "files/json-text.js"
};
static const unsigned char merge_js[] = {
#embed "files/merge.js"
};
static const unsigned char names_js[] = {
#embed "files/names.js"
};
static const unsigned char notices_js[] = {
#embed "files/notices.js"
};
static const unsigned char page_actions_js[] = {
#embed "files/page-actions.js"
};
static const unsigned char page_audit_js[] = {
#embed "files/page-audit.js"
};
static const unsigned char page_behavior_js[] = {
#embed "files/page-behavior.js"
};
static const unsigned char page_behaviors_js[] = {
#embed "files/page-behaviors.js"
};
static const unsigned char page_board_js[] = {
#embed "files/page-board.js"
};
static const unsigned char page_environments_js[] = {
#embed "files/page-environments.js"
};
static const unsigned char page_server_js[] = {
#embed "files/page-server.js"
};
static const unsigned char page_sign_in_js[] = {
#embed "files/page-sign-in.js"
};
static const unsigned char page_tokens_js[] = {
#embed "files/page-tokens.js"
};
static const unsigned char pages_css[] = {
#embed "files/pages.css"
};
static const unsigned char plan_form_js[] = {
#embed "files/plan-form.js"
};
static const unsigned char plans_js[] = {
#embed "files/plans.js"
};
static const unsigned char polls_js[] = {
#embed "files/polls.js"
};
static const unsigned char refresh_js[] = {
#embed "files/refresh.js"
};
static const unsigned char resource_js[] = {
#embed "files/resource.js"
};
static const unsigned char revision_changes_js[] = {
#embed "files/revision-changes.js"
};
static const unsigned char routes_js[] = {
#embed "files/routes.js"
};
static const unsigned char rules_pane_js[] = {
#embed "files/rules-pane.js"
};
static const unsigned char schemas_js[] = {
#embed "files/schemas.js"
};
static const unsigned char sentences_js[] = {
#embed "files/sentences.js"
};
static const unsigned char session_js[] = {
#embed "files/session.js"
};
static const unsigned char shell_js[] = {
#embed "files/shell.js"
};
static const unsigned char timeline_js[] = {
#embed "files/timeline.js"
};
static const unsigned char tour_js[] = {
#embed "files/tour.js"
};
static const unsigned char widgets_js[] = {
#embed "files/widgets.js"
};

#define FILE_OF(name, bytes) { name, bytes, sizeof bytes }

static const struct cconsole_file files[] = {
    FILE_OF("api.js", api_js),
    FILE_OF("app.js", app_js),
    FILE_OF("behavior-document.js", behavior_document_js),
    FILE_OF("behavior-edit.js", behavior_edit_js),
    FILE_OF("behavior-explain.js", behavior_explain_js),
    FILE_OF("behavior-history.js", behavior_history_js),
    FILE_OF("behavior-live.js", behavior_live_js),
    FILE_OF("behavior-promote.js", behavior_promote_js),
    FILE_OF("behavior-releases.js", behavior_releases_js),
    FILE_OF("behavior-state.js", behavior_state_js),
    FILE_OF("board-cables.js", board_cables_js),
    FILE_OF("board-commands.js", board_commands_js),
    FILE_OF("board-data.js", board_data_js),
    FILE_OF("board-drag.js", board_drag_js),
    FILE_OF("board-keys.js", board_keys_js),
    FILE_OF("board-row.js", board_row_js),
    FILE_OF("board.css", board_css),
    FILE_OF("call-form.js", call_form_js),
    FILE_OF("commands.js", commands_js),
    FILE_OF("completion.js", completion_js),
    FILE_OF("conflict.js", conflict_js),
    FILE_OF("console.css", console_css),
    FILE_OF("dialogs.js", dialogs_js),
    FILE_OF("difference-view.js", difference_view_js),
    FILE_OF("dom.js", dom_js),
    FILE_OF("editor-checks.js", editor_checks_js),
    FILE_OF("editor.js", editor_js),
    FILE_OF("events.js", events_js),
    FILE_OF("formats.js", formats_js),
    FILE_OF("icon.svg", icon_svg),
    FILE_OF("index.html", index_html),
    FILE_OF("json-text.js", json_text_js),
    FILE_OF("merge.js", merge_js),
    FILE_OF("names.js", names_js),
    FILE_OF("notices.js", notices_js),
    FILE_OF("page-actions.js", page_actions_js),
    FILE_OF("page-audit.js", page_audit_js),
    FILE_OF("page-behavior.js", page_behavior_js),
    FILE_OF("page-behaviors.js", page_behaviors_js),
    FILE_OF("page-board.js", page_board_js),
    FILE_OF("page-environments.js", page_environments_js),
    FILE_OF("page-server.js", page_server_js),
    FILE_OF("page-sign-in.js", page_sign_in_js),
    FILE_OF("page-tokens.js", page_tokens_js),
    FILE_OF("pages.css", pages_css),
    FILE_OF("plan-form.js", plan_form_js),
    FILE_OF("plans.js", plans_js),
    FILE_OF("polls.js", polls_js),
    FILE_OF("refresh.js", refresh_js),
    FILE_OF("resource.js", resource_js),
    FILE_OF("revision-changes.js", revision_changes_js),
    FILE_OF("routes.js", routes_js),
    FILE_OF("rules-pane.js", rules_pane_js),
    FILE_OF("schemas.js", schemas_js),
    FILE_OF("sentences.js", sentences_js),
    FILE_OF("session.js", session_js),
    FILE_OF("shell.js", shell_js),
    FILE_OF("timeline.js", timeline_js),
    FILE_OF("tour.js", tour_js),
    FILE_OF("widgets.js", widgets_js),
};

const struct cconsole_file *cconsole_file(size_t index) {
    return index < sizeof files / sizeof *files ? &files[index] : NULL;
}
