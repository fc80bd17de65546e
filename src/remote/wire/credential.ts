/** The certificate that a remote is signed in to with, as an administrator sends it: PEM with its key, or PFX in base64. */
import { nodeCrypto } from '../../system/builtin.ts';
import { momentText } from '../../validation/calendar.ts';

/** What is wrong with it, in Portuguese. */
export class UnfitCredential extends Error {}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const KEY = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----[^-]+-----END (?:[A-Z]+ )?PRIVATE KEY-----/;

export interface Credential {
  /** PEM, its own first, then what came with it. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
}

/** Throws `UnfitCredential`. */
export async function credentialOf(text: string, password: string | undefined): Promise<Credential> {
  const pem = text.includes('-----BEGIN') ? text : await pemOf(text, password ?? '');
  const certificates = certificatesIn(pem);
  const [written] = KEY.exec(pem) ?? [];
  if (written === undefined)
    throw new UnfitCredential('não há nele a chave do certificado (BEGIN PRIVATE KEY); envie os dois juntos');
  const { createPrivateKey } = nodeCrypto();
  let key: ReturnType<typeof createPrivateKey>;
  try {
    key = createPrivateKey({ key: written, ...(password !== undefined && { passphrase: password }) });
  } catch (error) {
    throw new UnfitCredential('a chave não pôde ser lida; confira a senha', { cause: error });
  }
  const own = certificates.find(({ certificate }) => certificate.checkPrivateKey(key));
  if (own === undefined) throw new UnfitCredential('a chave não é a do certificado');
  const rest = certificates.filter((one) => one !== own);
  return {
    certificate: [own, ...rest].map(({ text: one }) => one).join('\n'),
    key: key.export({ type: 'pkcs8', format: 'pem' }),
  };
}

/** Told when it is given: at a request, a broken one could not even be sent. Throws `UnfitCredential`. */
export function refuseUnfitAuthorities(text: string): void {
  certificatesIn(text);
}

/** All that are in it, one at least, each of them one that can be read. Throws `UnfitCredential`. */
function certificatesIn(pem: string) {
  const certificates = pem.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) throw new UnfitCredential('não há nele um certificado (BEGIN CERTIFICATE)');
  const { X509Certificate } = nodeCrypto();
  return certificates.map((text, at) => {
    try {
      return { text, certificate: new X509Certificate(text) };
    } catch (error) {
      throw new UnfitCredential(`o ${at + 1}º certificado não pôde ser lido; exporte-o de novo, em PEM`, {
        cause: error,
      });
    }
  });
}

async function pemOf(base64: string, password: string): Promise<string> {
  const { default: forge } = await import('node-forge');
  try {
    const der = Buffer.from(base64, 'base64').toString('latin1');
    const file = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(der), password);
    const bags = file.safeContents.flatMap(({ safeBags }) => safeBags);
    return bags
      .flatMap(({ cert, key }) => [
        ...(cert === undefined || cert === null ? [] : [forge.pki.certificateToPem(cert)]),
        ...(key === undefined || key === null ? [] : [forge.pki.privateKeyToPem(key)]),
      ])
      .join('\n')
      .replaceAll('\r', '');
  } catch (error) {
    throw new UnfitCredential('não é PEM, nem um PFX em base64 que se abra com essa senha', {
      cause: error,
    });
  }
}

/** How a certificate is shown. */
export function shownCertificate({ certificate }: Pick<Credential, 'certificate'>) {
  const { subject, issuer, validToDate } = new (nodeCrypto().X509Certificate)(certificate);
  const oneLine = (name: string): string => name.replaceAll('\n', ', ');
  return { subject: oneLine(subject), issuer: oneLine(issuer), notAfter: momentText(validToDate.getTime()) };
}
