/**
 * Returns the subject of a token that this instance issued, without verifying it: a request that a fault cut
 * off was not authenticated.
 */
import { jsonIn } from '../../validation/json.ts';
import { textMemberIn } from '../../validation/json-value.ts';

export function subjectOf(token: string): string | undefined {
  const [, payload = ''] = token.split('.');
  return textMemberIn(jsonIn(Buffer.from(payload, 'base64url').toString()), 'sub');
}
