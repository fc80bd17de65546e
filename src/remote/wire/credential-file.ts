/**
 * Reads a credential as an administrator sends it: PEM with its key, or PFX in base64. A file with many
 * iterations of its key derivation takes long to read.
 */
import { ITERATIONS_MAX, TooCostly } from '../../pkcs12/derivation.ts';
import { openKey } from '../../pkcs12/encryption.ts';
import { openPfx } from '../../pkcs12/pfx.ts';
import { nodeCrypto } from '../../system/builtin.ts';
import { UnfitCredential, certificatesIn } from './pem-certificates.ts';

const KEY = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----[^-]+-----END (?:[A-Z]+ )?PRIVATE KEY-----/;

export interface Credential {
  /** Certificates in PEM: its own first, then the others of the file. */
  readonly certificate: string;
  /** The key in PEM. */
  readonly key: string;
}

export interface CredentialRequest {
  readonly text: string;
  readonly password: string | undefined;
}

export type CredentialAnswer =
  | { readonly kind: 'credential'; readonly credential: Credential }
  /** The message is Portuguese. */
  | { readonly kind: 'unfit'; readonly message: string }
  | { readonly kind: 'fault'; readonly message: string };

/** Reads a credential. Throws `UnfitCredential`. */
export function readCredential(text: string, password: string | undefined): Credential {
  const pem = text.includes('-----BEGIN') ? text : pemOf(text, password ?? '');
  const certificates = certificatesIn(pem);
  const [pemKey] = KEY.exec(pem) ?? [];
  if (pemKey === undefined)
    throw new UnfitCredential('não há nele a chave do certificado (BEGIN PRIVATE KEY); envie os dois juntos');
  const { createPrivateKey } = nodeCrypto();
  let key: ReturnType<typeof createPrivateKey>;
  try {
    key = createPrivateKey(decryptedKey(pemKey, password));
  } catch (error) {
    throw unfit(error, 'a chave não pôde ser lida; confira a senha');
  }
  const own = certificates.find(({ certificate }) => certificate.checkPrivateKey(key));
  if (own === undefined) throw new UnfitCredential('a chave não é a do certificado');
  const rest = certificates.filter((certificate) => certificate !== own);
  return {
    certificate: [own, ...rest].map(({ text }) => text).join('\n'),
    key: key.export({ type: 'pkcs8', format: 'pem' }),
  };
}

const ENCRYPTED_KEY = 'BEGIN ENCRYPTED PRIVATE KEY';

/** Returns the decrypted key, so that the runtime derives nothing later. */
function decryptedKey(pem: string, password: string | undefined) {
  if (!pem.includes(ENCRYPTED_KEY)) return pem;
  const encrypted = Buffer.from(pem.replaceAll(/-----[^-]+-----/g, ''), 'base64');
  const key = Buffer.from(openKey(encrypted, password ?? ''));
  return { key, format: 'der', type: 'pkcs8' } as const;
}

function pemOf(base64: string, password: string): string {
  try {
    const { certificates, keys } = openPfx(Buffer.from(base64, 'base64'), password);
    return [
      ...certificates.map((der) => asPem('CERTIFICATE', der)),
      ...keys.map((der) => asPem('PRIVATE KEY', der)),
    ].join('\n');
  } catch (error) {
    throw unfit(error, 'não é PEM, nem um PFX em base64 que se abra com essa senha');
  }
}

const LINE = /.{1,64}/g;

function asPem(label: string, der: Uint8Array): string {
  const lines = Buffer.from(der).toString('base64').match(LINE) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`].join('\n');
}

function unfit(error: unknown, message: string): UnfitCredential {
  if (!(error instanceof TooCostly)) return new UnfitCredential(message, { cause: error });
  const [requested, limit] = [error.iterations, ITERATIONS_MAX].map((count) => count.toLocaleString('pt-BR'));
  return new UnfitCredential(
    `abri-lo pede ${requested} iterações (as da chave, dos certificados e do selo somadas; de scrypt, N·r·p); são aceitas até ${limit}. Exporte-o de novo com menos iterações`,
  );
}
