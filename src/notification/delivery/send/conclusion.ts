import { type Cause, describe } from './description.ts';
import type { Excerpt } from './excerpt.ts';
import { type Exchange, isSuccess } from './exchange.ts';
import type { Failed, FailureReason, Outcome, Phase } from './outcome.ts';

/** The end of a request: on the wire, or before it reached one. */
export type End = Exchange | { readonly kind: 'closed'; readonly cause: Cause };

/** Returns the outcome of a request that ended within its deadline and was not withdrawn. */
export function conclude(end: End, ms: number): Outcome {
  switch (end.kind) {
    case 'answered':
      return {
        ...(isSuccess(end.status)
          ? { kind: 'delivered', status: end.status, ms }
          : failed(
              { reason: isRedirect(end.status) ? 'redirect' : 'status', status: end.status },
              'answer',
              ms,
            )),
        ...answerOf(end),
      };
    case 'closed':
      return failed(end.cause, end.cause.reason === 'name' ? 'name' : 'connection', ms);
    case 'unsendable':
      return failed({ reason: 'request', code: end.code }, 'request', ms);
    case 'stale':
      return failed({ reason: 'connection', code: 'ECONNRESET' }, 'answer', ms);
    case 'broken':
      return {
        ...failed({ reason: reasonOf(end), code: end.code }, end.phase, ms),
        ...(end.status === undefined ? {} : { status: end.status }),
        ...answerOf(end),
      };
  }
}

function answerOf({ answer }: { readonly answer?: Excerpt }): { readonly answer?: string } {
  const text = answer?.text ?? '';
  return text === '' ? {} : { answer: text };
}

const isRedirect = (status: number): boolean => [300, 301, 302, 303, 307, 308].includes(status);

type Broken = Extract<Exchange, { kind: 'broken' }>;

function reasonOf({
  phase,
  code,
}: Broken): Extract<FailureReason, 'connection' | 'tls' | 'certificate' | 'answer'> {
  if (code.startsWith('HPE_') || phase === 'body') return 'answer';
  if (phase !== 'tls') return 'connection';
  return isCertificateFault(code) ? 'certificate' : 'tls';
}

/** Recognises the codes of OpenSSL's chain verification, and Node's own code of the name check. */
const isCertificateFault = (code: string): boolean =>
  /CERT|CRL|ISSUER|SIGNATURE|HOSTNAME|_CA$|PATH_LENGTH/.test(code) && !code.startsWith('ERR_SSL');

export function failed(cause: Cause, phase: Phase, ms: number): Failed {
  const status = 'status' in cause ? { status: cause.status } : {};
  return {
    kind: 'failed',
    reason: cause.reason,
    phase,
    ...status,
    ms,
    description: describe(cause, phase, ms),
  };
}
