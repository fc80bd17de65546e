/** A real TLS receiver for tests. Its authority is made once per process. */
import { SystemClock } from '../../src/clock.ts';
import { type Authority, createAuthority } from '../../src/authority/authority.ts';
import { type Receiver, type ReceiverOptions, startReceiver } from '../../src/receiver/receiver.ts';
import { parseScript } from '../../src/receiver/script.ts';

let authority: Promise<Authority> | undefined;

export const testAuthority = (): Promise<Authority> =>
  (authority ??= createAuthority(new SystemClock().now()));

export interface TestReceiverOptions extends Omit<ReceiverOptions, 'authority' | 'script'> {
  /** Script in the syntax of the command line: `500*3,200`. */
  readonly script?: string;
}

/**
 * Opens a receiver on a free port, closed with its block: `await using receiver = await openReceiver({
 * script: '500*3,200' })`.
 */
export async function openReceiver({
  script = '200',
  ...options
}: TestReceiverOptions = {}): Promise<Receiver> {
  return startReceiver({ ...options, authority: await testAuthority(), script: parseScript(script) });
}
