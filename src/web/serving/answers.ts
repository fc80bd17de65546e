/** The headers of the pages and their assets. */
import type { ServedText } from '../../http/served-text.ts';

/**
 * Allows nothing external and nothing inline. `blob:` is never needed, because the policy does not apply to
 * downloads.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

export const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Asset names contain a hash of the content; page names do not. */
export const ASSET_LIFE = 'public, max-age=31536000, immutable';
const PAGE_LIFE = 'no-cache';

export async function htmlAnswer(request: Request, html: ServedText, status = 200): Promise<Response> {
  const { bytes, headers } = await html.sentTo(request, 'Accept, Accept-Encoding');
  return new Response(bytes, {
    status,
    headers: {
      ...HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': PAGE_LIFE,
      ...headers,
    },
  });
}

/** Recognises a browser by its `Accept` header (contract section 17). */
export const wantsPage = ({ headers }: Request): boolean =>
  (headers.get('accept') ?? '').includes('text/html');
