/**
 * Which tab a change goes on in. A run has one driver: in a second tab it would ask the model a second time.
 *
 * Invariant: a change that is held here goes on nowhere else until it is let go or another tab takes it over.
 */

const NAME = (key: string): string => `holdpoint-change-${key}`;

export class Held {
  private constructor(readonly release: () => void) {}

  /** The change for this tab; null while another one has it. `lost` hears that another tab took it over. */
  static take(key: string, over: boolean, lost: () => void): Promise<Held | null> {
    // Without locks (no secure context) nothing can be known of other tabs.
    if (!("locks" in navigator)) return Promise.resolve(new Held(() => undefined));
    return new Promise((resolve) => {
      let mine = true;
      const held = (lock: Lock | null): Promise<void> => {
        if (!lock) {
          resolve(null);
          return Promise.resolve();
        }
        return new Promise<void>((end) => {
          const release = () => {
            mine = false;
            end();
          };
          resolve(new Held(release));
        });
      };
      const how: LockOptions = over ? { steal: true } : { ifAvailable: true };
      navigator.locks.request(NAME(key), how, held).catch(() => {
        if (mine) lost();
      });
    });
  }
}
