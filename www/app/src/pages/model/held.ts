/**
 * Which tab a change goes on in. A run has one driver: in a second tab it would ask the model a second time.
 *
 * Invariant: a change that is held here goes on nowhere else until it is let go or another tab takes it over.
 */

const NAME = (key: string): string => `holdpoint-change-${key}`;

/** One tab after the other: what is read and written back stands between. */
export async function alone(name: string, work: () => Promise<void>): Promise<void> {
  await ("locks" in navigator ? navigator.locks.request(NAME(name), work) : work());
}

export class Held {
  /** Another tab took it over. */
  lost = false;

  private constructor(readonly release: () => void) {}

  /** The change for this tab; null while another one has it. `lost` hears that another tab took it over. */
  static take(key: string, over: boolean, lost: () => void): Promise<Held | null> {
    // Without locks (no secure context) nothing can be known of other tabs.
    if (!("locks" in navigator)) return Promise.resolve(new Held(() => undefined));
    return new Promise((resolve) => {
      let mine: Held | null = null;
      const held = (lock: Lock | null): Promise<void> => {
        if (!lock) {
          resolve(null);
          return Promise.resolve();
        }
        return new Promise<void>((end) => {
          mine = new Held(() => {
            mine = null;
            end();
          });
          resolve(mine);
        });
      };
      const how: LockOptions = over ? { steal: true } : { ifAvailable: true };
      navigator.locks.request(NAME(key), how, held).catch(() => {
        if (!mine) return;
        mine.lost = true;
        lost();
      });
    });
  }
}
