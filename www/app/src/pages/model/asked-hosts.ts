/** Hosts that installed extensions sent requests to since the page was opened. */
import type { InstalledView } from "@holdpoint/elements";

export class AskedHosts {
  readonly #counts = new Map<string, Map<string, number>>();

  count(extension: string, host: string): void {
    const hosts = this.#counts.get(extension) ?? new Map<string, number>();
    this.#counts.set(extension, hosts.set(host, (hosts.get(host) ?? 0) + 1));
  }

  /** In the order in which they were asked first. */
  of(extension: string): InstalledView["asked"] {
    return [...(this.#counts.get(extension) ?? [])].map(([host, n]) => ({ host, n }));
  }
}
