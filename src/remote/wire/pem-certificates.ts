/** Certificates of a credential in PEM. */
import { nodeCrypto } from '../../system/builtin.ts';

/** Error of an unusable credential. Its message is Portuguese. */
export class UnfitCredential extends Error {}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Returns all certificates of a PEM text, at least one. Throws `UnfitCredential` when there is none or one
 * is unreadable.
 */
export function certificatesIn(pem: string) {
  const certificates = pem.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) throw new UnfitCredential('não há nele um certificado (BEGIN CERTIFICATE)');
  const { X509Certificate } = nodeCrypto();
  return certificates.map((text, index) => {
    try {
      return { text, certificate: new X509Certificate(text) };
    } catch (error) {
      throw new UnfitCredential(`o ${index + 1}º certificado não pôde ser lido; exporte-o de novo, em PEM`, {
        cause: error,
      });
    }
  });
}
