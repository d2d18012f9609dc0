/** The columns of the script pages in their three layouts. UI.md §2 "Script editor". */
import { css } from "lit";

export const layout = css`
  hp-tools { min-height: 0; }
  .app {
    grid-template-columns: minmax(0, 1fr) 1px var(--c-chat);
  }
  .app.rail { grid-template-columns: minmax(0, 1fr) 1px 44px; }
  .app.solo { grid-template-columns: minmax(0, 1fr); }
  .railed { align-items: center; padding-top: var(--s-3); gap: var(--s-3); }
  .state {
    padding: var(--s-8);
    background: var(--canvas);
    display: grid;
    align-content: start;
    gap: var(--s-6);
  }
  .state .sheet {
    max-width: 600px;
    padding: var(--s-6);
    display: grid;
    gap: var(--s-4);
    justify-items: start;
  }
  .state h2 { font-size: var(--t-head); line-height: var(--l-head); }
  .applied {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: var(--s-5);
    padding: var(--s-4) var(--s-6);
    border-bottom: 1px solid var(--pass-line);
    background: var(--pass-tint);
    font-size: var(--t-small);
    flex-wrap: wrap;
  }
  .mini-stamp {
    display: inline-flex;
    align-items: center;
    gap: var(--s-3);
    border: 2px solid var(--pass);
    color: var(--pass);
    border-radius: var(--r-2);
    padding: 1px var(--s-4);
    font-size: var(--t-meta);
    font-weight: 700;
    letter-spacing: .06em;
    rotate: -1.5deg;
  }
  .mini-stamp .mono { letter-spacing: 0; }
  .save { white-space: nowrap; }
  .doc .badge { flex: none; }
  .live {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (max-width: 1023px) {
    .app { grid-template-columns: minmax(0, 1fr) 1px 300px; }
    .brand span { display: none; }
    .top { gap: var(--s-4); }
  }
  @media (max-width: 767px) {
    .hide-n { display: none !important; }
    .doc .badge { display: none; }
    .doc .badge.hold { display: inline-flex; }
    .top:has(.badge.hold) hp-budget { display: none; }
    .app, .app.rail { grid-template: minmax(0, 1fr) / minmax(0, 1fr); }
    .app > .panel, hp-separator { display: none !important; }
    .app > .panel { grid-area: 1 / 1; }
    .app.solo > * { display: flex !important; }
    [data-pane="code"] > .mid, [data-pane="run"] > .mid, [data-pane="panel"] > .mid, [data-pane="chat"] > .side {
      display: flex !important;
    }
    :is([data-pane="panel"], [data-pane="run"]) hp-file-tabs { display: none; }
    .applied { padding-inline: var(--s-5); }
  }
`;
