/** Converts the form of a remote to and from the API. Secrets are only sent, never read. */
import type { Remote, RemoteChange } from '../api/answers.ts';

export interface RemoteFields {
  readonly name: string;
  readonly companies: readonly string[];
  readonly url: string;
  readonly entersWith: 'key' | 'certificate';
  readonly clientId: string;
  readonly clientSecret: string;
  readonly certificate: File | undefined;
  readonly password: string;
  readonly ca: File | undefined;
  readonly rules: Remote['rules'];
  readonly perHour: string;
  readonly downtime: string;
  readonly otherEnvironment: boolean;
}

const PER_HOUR = '900';

export const fieldsOf = (remote: Remote | undefined, company: string): RemoteFields => ({
  name: remote?.name ?? '',
  companies: remote?.companies ?? (company === '' ? [] : [company]),
  url: remote?.url ?? '',
  entersWith: remote?.certificate == null ? 'key' : 'certificate',
  clientId: remote?.clientId ?? '',
  clientSecret: '',
  certificate: undefined,
  password: '',
  ca: undefined,
  rules: remote?.rules ?? 'portal',
  perHour: String(remote?.perHour ?? PER_HOUR),
  downtime: remote?.downtime ?? '',
  otherEnvironment: remote?.otherEnvironment ?? false,
});

/** Returns the change to send. An empty secret keeps the stored one. */
export async function changeOf(fields: RemoteFields): Promise<RemoteChange> {
  const { companies, rules, url, entersWith, certificate, password, ca, perHour, downtime } = fields;
  const base = { companies: [...companies], rules };
  if (url.trim() === '') return base;
  const { clientId, clientSecret, otherEnvironment } = fields;
  return {
    ...base,
    url: url.trim().replace(/\/$/, ''),
    ...(entersWith === 'key' && clientId.trim() !== '' && { clientId: clientId.trim() }),
    ...(entersWith === 'key' && clientSecret !== '' && { clientSecret }),
    ...(entersWith === 'certificate' &&
      certificate !== undefined && { certificate: await contentOf(certificate) }),
    ...(entersWith === 'certificate' && password !== '' && { password }),
    ...(ca !== undefined && { ca: await ca.text() }),
    // The server refuses invalid numbers, at their field.
    perHour: Number(perHour),
    downtime: downtime.trim() === '' ? null : downtime.trim(),
    otherEnvironment,
  };
}

/** Returns PEM unchanged and any other file (a PFX) in base64. */
async function contentOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  if (text.includes('-----BEGIN')) return text;
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
