/** Checks whether a client certificate may sign in (contract section 16). Real time decides. */
import type { EpochMs } from '../clock.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import { DerError } from '../pkcs12/der.ts';
import { documentoOf } from './holder.ts';
import type { Trust } from './trust.ts';

/** A certificate as presented by a connection or a request. */
export interface PresentedCertificate {
  /** The certificate, its issuer, and so on; DER. From a proxy, the certificate alone. */
  readonly chain: readonly Uint8Array[];
  /** The reason why the handshake did not verify it. */
  readonly refusal?: string | undefined;
  /** True if it came in a header, without the proof of a handshake: its chain is then verified. */
  readonly byProxy: boolean;
}

/** The holder, or the reason for a rejection with its remedy, in Portuguese. */
export type Verdict =
  | { readonly documento: string; readonly serial: string }
  | { readonly unfit: string; readonly remedy: string };

/** Accepted purposes of a client certificate; the last is any purpose. */
const CLIENT_PURPOSES = ['1.3.6.1.5.5.7.3.2', '2.5.29.37.0'];

export function judge(
  { chain, refusal, byProxy }: PresentedCertificate,
  trust: Trust,
  now: EpochMs,
): Verdict {
  const certificateChain = readChain(chain);
  const [own] = certificateChain;
  if (own === undefined) return unfit('não pode ser interpretado', 'Envie um certificado X.509.');
  const certificates = byProxy ? [own, ...trust.issuersOf(own)] : certificateChain;
  if (!certificates.some((certificate) => trust.isAuthority(certificate)))
    return unfit(
      'não é de uma autoridade de tls.clientes',
      'Acrescente a autoridade que o emitiu a tls.clientes; se ela é intermediária de uma que já está lá, o programa também pode enviá-la junto com o certificado.',
    );
  if (certificates.some((certificate) => now > certificate.notAfter))
    return unfit('está vencido', 'Use um que esteja na validade; a das autoridades dele também conta.');
  if (certificates.some((certificate) => now < certificate.notBefore))
    return unfit('ainda não é válido', 'Confira o relógio desta máquina.');
  if (!isForClients(own))
    return unfit(
      'não é para autenticação de cliente',
      'Use um cujo uso de chave estendido tenha clientAuth.',
    );
  if (certificates.some((certificate) => trust.isRevoked(certificate)))
    return unfit('foi revogado', 'Use outro; as listas são as de tls.revogados.');
  // Checked last, because it is the least specific. Without the proof of the handshake, no chain identifies a
  // holder.
  if (refusal !== undefined)
    return unfit(
      `não foi aceito na conexão (${refusal})`,
      'Confira a cadeia com openssl verify -CAfile, com o arquivo de tls.clientes.',
    );
  const documento = documentoOf(own);
  return documento === undefined
    ? unfit(
        'não tem um CPF ou CNPJ de titular',
        'O número vem do otherName 2.16.76.1.3.1 (CPF) ou 2.16.76.1.3.3 (CNPJ); sem eles, do fim do CN, como em NOME:00000000191.',
      )
    : { documento, serial: serialText(own) };
}

const unfit = (unfit: string, remedy: string): Verdict => ({ unfit, remedy });

function readChain(chain: readonly Uint8Array[]): Certificate[] {
  try {
    return chain.map(readCertificate);
  } catch (error) {
    if (error instanceof DerError) return [];
    throw error;
  }
}

/** Formats the serial number like other tools: without the byte that keeps it positive. */
const serialText = ({ serial }: Certificate): string => serial.replace(/^00(?=.)/, '').toUpperCase();

const isForClients = ({ purposes, maySign }: Certificate): boolean =>
  maySign && (purposes === undefined || CLIENT_PURPOSES.some((purpose) => purposes.includes(purpose)));
