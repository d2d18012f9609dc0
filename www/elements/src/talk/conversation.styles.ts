/** A log of turns: words, what became of a proposal, what can be asked. */
import { css } from "lit";

export const styles = css`
  :host { display: block; }
  .log {
    display: grid;
    gap: var(--s-7);
    align-content: start;
    grid-template-columns: minmax(0, 1fr);
  }
  .said { overflow-wrap: anywhere; }
  .said p.words { white-space: pre-wrap; }
  .md { display: grid; gap: var(--s-3); }
  .md-h { font-weight: var(--w-strong); }
  .md-l { list-style: disc; padding-inline-start: 18px; }
  .md-l.num-l { list-style: decimal; }
  .md > p { white-space: pre-line; }
  .md-c {
    padding: var(--s-3) var(--s-4);
    border: 1px solid var(--line);
    background: var(--sunken);
    font-size: var(--t-small);
    white-space: pre-wrap;
  }
  .acts { margin-top: var(--s-3); display: flex; flex-wrap: wrap; gap: var(--s-3); }
  .clear { margin-top: var(--s-5); }
  .plain {
    gap: var(--s-4);
    align-items: center;
    padding: var(--s-4) var(--s-5);
    font-size: var(--t-small);
    min-height: var(--row);
  }
  .pcard {
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    padding: var(--s-4) var(--s-5);
    display: grid;
    gap: var(--s-3);
    margin-top: var(--s-4);
    background: var(--sunken);
  }
  .pcard .flex { flex-wrap: wrap; }
  .pcard.row { display: flex; flex-wrap: wrap; align-items: center; }
  .below { display: grid; gap: var(--s-3); margin-top: var(--s-4); }
  .below > .pcard { margin-top: 0; }
  .caret {
    display: inline-block;
    width: 2px;
    height: 1em;
    background: var(--action-fill);
    vertical-align: -2px;
    margin-inline-start: 2px;
  }
  .writing { display: flex; gap: var(--s-2); align-items: center; color: var(--action); }
`;
