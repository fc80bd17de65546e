/** The certificate that a remote is signed in to with, as an administrator sends it: PEM with its key, or PFX in base64. */
import { REAL_TIME, SECOND_MS } from '../../clock.ts';
import { nodeCrypto } from '../../system/builtin.ts';
import { momentText } from '../../validation/calendar.ts';
import {
  type Credential,
  type CredentialAnswer,
  type CredentialQuestion,
  UnfitCredential,
  certificatesIn,
} from './credential-file.ts';

export { UnfitCredential } from './credential-file.ts';

/** Contract section 16. */
const OPEN_WITHIN_MS = 10 * SECOND_MS;

/** One at a time: each takes a whole core. */
let last: Promise<unknown> = Promise.resolve();

/** Reads it in a Worker. Throws `UnfitCredential`, also where that takes longer than 10 s. */
export function credentialOf(text: string, password: string | undefined): Promise<Credential> {
  const reading = last.then(() => readAside({ text, password }));
  last = reading.catch(() => undefined); // the caller is told
  return reading;
}

async function readAside(question: CredentialQuestion): Promise<Credential> {
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
  worker.postMessage(question);
  try {
    const answer = await promise;
    if (answer.kind === 'credential') return answer.credential;
    throw answer.kind === 'unfit' ? new UnfitCredential(answer.message) : new Error(answer.message);
  } finally {
    late.cancel();
    worker.terminate();
  }
}

/** Told when it is given: at a request, a broken one could not even be sent. Throws `UnfitCredential`. */
export function refuseUnfitAuthorities(text: string): void {
  certificatesIn(text);
}

/** How a certificate is shown. */
export function shownCertificate({ certificate }: Pick<Credential, 'certificate'>) {
  const { subject, issuer, validToDate } = new (nodeCrypto().X509Certificate)(certificate);
  const oneLine = (name: string): string => name.replaceAll('\n', ', ');
  return { subject: oneLine(subject), issuer: oneLine(issuer), notAfter: momentText(validToDate.getTime()) };
}
