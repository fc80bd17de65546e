/** The virtual account of each service, with no password and no rights except those granted. */
import { createHash } from 'node:crypto';

const SID_OF_SERVICES = 'S-1-5-80';
const WORD_BYTES = 4;

export const virtualAccount = (service: string): string => `NT SERVICE\\${service}`;

/** Derives the SID from the name, as Windows does, so that it is known before the service exists. */
export function virtualAccountSid(service: string): string {
  const digest = createHash('sha1').update(Buffer.from(service.toUpperCase(), 'utf16le')).digest();
  const words = Array.from({ length: digest.length / WORD_BYTES }, (_, index) =>
    digest.readUInt32LE(index * WORD_BYTES),
  );
  return [SID_OF_SERVICES, ...words].join('-');
}
