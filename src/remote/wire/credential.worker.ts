/** Worker that reads one credential off the main thread (contract section 16), then ends. */
import { type CredentialAnswer, type CredentialRequest, readCredential } from './credential-file.ts';
import { UnfitCredential } from './pem-certificates.ts';

declare const self: Worker;

self.onmessage = ({ data: { text, password } }: MessageEvent<CredentialRequest>) => {
  const answer = (result: CredentialAnswer): void => self.postMessage(result);
  try {
    answer({ kind: 'credential', credential: readCredential(text, password) });
  } catch (error) {
    if (error instanceof UnfitCredential) answer({ kind: 'unfit', message: error.message });
    else answer({ kind: 'fault', message: error instanceof Error ? error.message : String(error) });
  }
};
