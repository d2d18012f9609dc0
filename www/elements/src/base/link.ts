/**
 * A link in a text that somebody else wrote: it shows its whole address before anybody opens it.
 *
 * Only https is a link, and none with a name before its host (`https://bank.example@evil.example`); what is no link
 * stands there as it was written. The address is the one that a browser would ask for, in ASCII: a host that only
 * looks like another one is seen. It opens in a tab that knows nothing of this page, and by a person's own click alone.
 */
import { html, nothing, type TemplateResult } from "lit";
import { visible } from "./unseen.js";

/** The address as a browser asks for it, or nothing where it is none that may be opened. */
export function addressOf(written: string): string | null {
  let url: URL;
  try {
    url = new URL(written);
  } catch {
    return null;
  }
  const { protocol, username, password, href } = url;
  return protocol === "https:" && !username && !password ? href : null;
}

const byPerson = (event: Event): void => {
  if (!event.isTrusted) event.preventDefault();
};

/** `written`: the whole as it stood in the text, for what is no link. */
export function link(label: string, target: string, written: string): TemplateResult {
  const address = addressOf(target);
  if (address === null) return html`${visible(written)}`;
  const words = label === address ? nothing : `${visible(label)} `;
  const shown = label === address ? address : `(${address})`;
  return html`<a
    href=${address}
    target="_blank"
    rel="noopener noreferrer"
    referrerpolicy="no-referrer"
    @click=${byPerson}
    @auxclick=${byPerson}
    >${words}<span class="mono">${shown}</span></a
  >`;
}
