/** Who a token of ours was given to, read without looking whether it is good: of a request that was cut off nobody has looked. */
import { jsonIn } from '../../validation/json.ts';

export function subjectOf(token: string): string | undefined {
  const [, payload = ''] = token.split('.');
  const claims = jsonIn(Buffer.from(payload, 'base64url').toString());
  const sub = typeof claims === 'object' && claims !== null && 'sub' in claims ? claims.sub : undefined;
  return typeof sub === 'string' ? sub : undefined;
}
