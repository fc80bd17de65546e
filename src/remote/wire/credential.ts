/**
 * Certificate that signs in to a remote, as an administrator sends it: PEM with its key, or PFX in base64.
 */
import { REAL_TIME, SECOND_MS } from '../../clock.ts';
import { nodeCrypto } from '../../system/builtin.ts';
import { momentText } from '../../validation/calendar.ts';
// Only the Worker loads the code that reads a file.
import type { Credential, CredentialAnswer, CredentialRequest } from './credential-file.ts';
import { UnfitCredential, certificatesIn } from './pem-certificates.ts';

export { UnfitCredential } from './pem-certificates.ts';

/** Contract section 16. */
const OPEN_WITHIN_MS = 10 * SECOND_MS;

/** Credentials are read one at a time, because each takes a whole CPU core. */
let last: Promise<unknown> = Promise.resolve();

/** Reads a credential in a Worker. Throws `UnfitCredential`, also when that takes longer than 10 s. */
export function credentialOf(text: string, password: string | undefined): Promise<Credential> {
  const reading = last.then(() => readInWorker({ text, password }));
  last = reading.catch(() => undefined); // the caller gets the error
  return reading;
}

async function readInWorker(request: CredentialRequest): Promise<Credential> {
  const { promise, resolve, reject } = Promise.withResolvers<CredentialAnswer>();
  const worker = new Worker(new URL('./credential.worker.ts', import.meta.url).href);
  worker.onmessage = ({ data }: MessageEvent<CredentialAnswer>) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
  const late = REAL_TIME.after(OPEN_WITHIN_MS, () =>
    resolve({
      kind: 'unfit',
      message: `não se abriu em ${OPEN_WITHIN_MS / SECOND_MS} s; exporte-o de novo com menos iterações`,
    }),
  );
  worker.postMessage(request);
  try {
    const answer = await promise;
    if (answer.kind === 'credential') return answer.credential;
    throw answer.kind === 'unfit' ? new UnfitCredential(answer.message) : new Error(answer.message);
  } finally {
    late.cancel();
    worker.terminate();
  }
}

/**
 * Checks the authorities when they are configured, because no request could be sent with a broken one.
 * Throws `UnfitCredential`.
 */
export function refuseUnfitAuthorities(text: string): void {
  certificatesIn(text);
}

/** Returns the response form of a certificate. */
export function certificateForm({ certificate }: Pick<Credential, 'certificate'>) {
  const { subject, issuer, validToDate } = new (nodeCrypto().X509Certificate)(certificate);
  const oneLine = (name: string): string => name.replaceAll('\n', ', ');
  return { subject: oneLine(subject), issuer: oneLine(issuer), notAfter: momentText(validToDate.getTime()) };
}
