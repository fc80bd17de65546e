/** Whether a client certificate is good for signing in, here and now (contract section 16). Real time decides. */
import type { EpochMs } from '../clock.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import { DerError } from './der.ts';
import { documentoOf } from './holder.ts';
import type { Trust } from './trust.ts';

/** A certificate as it came with a connection or a request. */
export interface Presented {
  /** The certificate, who issued it, and so on; DER. Of a proxy, the certificate alone. */
  readonly chain: readonly Uint8Array[];
  /** Why the handshake did not verify it. */
  readonly refusal?: string | undefined;
  /** It came in a header, without the proof of a handshake: its chain is followed here. */
  readonly byProxy: boolean;
}

/** Whose it is, or why it cannot be used, in Portuguese. */
export type Judged = { readonly documento: string; readonly serial: string } | { readonly unfit: string };

/** What a client's certificate may be for; the last is any purpose. */
const CLIENT_PURPOSES = ['1.3.6.1.5.5.7.3.2', '2.5.29.37.0'];

export function judged({ chain, refusal, byProxy }: Presented, trust: Trust, now: EpochMs): Judged {
  if (refusal !== undefined) return { unfit: `não foi aceito na conexão (${refusal})` };
  const shown = readChain(chain);
  const [own] = shown;
  if (own === undefined) return { unfit: 'não pode ser interpretado' };
  const certificates = byProxy ? [own, ...trust.issuersOf(own)] : shown;
  if (!certificates.some((one) => trust.isAuthority(one)))
    return { unfit: 'não é de uma autoridade de tls.clientes' };
  if (certificates.some((one) => now > one.notAfter)) return { unfit: 'está vencido' };
  if (certificates.some((one) => now < one.notBefore)) return { unfit: 'ainda não é válido' };
  if (!isForClients(own)) return { unfit: 'não é para autenticação de cliente' };
  if (certificates.some((one) => trust.isRevoked(one))) return { unfit: 'foi revogado' };
  const documento = documentoOf(own);
  return documento === undefined
    ? { unfit: 'não tem um CPF ou CNPJ de titular' }
    : { documento, serial: shownSerial(own) };
}

function readChain(chain: readonly Uint8Array[]): Certificate[] {
  try {
    return chain.map(readCertificate);
  } catch (error) {
    if (error instanceof DerError) return [];
    throw error;
  }
}

/** As tools print it: without the byte that keeps it from being negative. */
const shownSerial = ({ serial }: Certificate): string => serial.replace(/^00(?=.)/, '').toUpperCase();

const isForClients = ({ purposes, maySign }: Certificate): boolean =>
  maySign && (purposes === undefined || CLIENT_PURPOSES.some((purpose) => purposes.includes(purpose)));
