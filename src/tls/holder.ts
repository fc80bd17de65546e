/** Whose an ICP-Brasil certificate is: its CPF or CNPJ (contract section 16). */
import type { Certificate } from './certificate.ts';

const PERSON = '2.16.76.1.3.1';
const COMPANY = '2.16.76.1.3.3';

/** 8 digits of birth date, then 11 of CPF, then what we do not look at. */
const PERSON_DATA = /^\d{8}(\d{11})/;
const CNPJ = /^([0-9A-Z]{12}\d{2})$/;
const NAMED = /:(\d{11}|[0-9A-Z]{12}\d{2})$/;
/** What an authority writes where it has no number. */
const NO_NUMBER = /^0+$/;

/** The CPF or CNPJ of the holder; where the SAN has one of the two names it counts, and not the CN. */
export function documentoOf({ commonName, otherNames }: Certificate): string | undefined {
  const company = otherNames.get(COMPANY);
  const person = otherNames.get(PERSON);
  const [, documento] =
    company !== undefined
      ? (CNPJ.exec(company.trim()) ?? [])
      : person !== undefined
        ? (PERSON_DATA.exec(person.trim()) ?? [])
        : (NAMED.exec(commonName?.trim() ?? '') ?? []);
  return documento === undefined || NO_NUMBER.test(documento) ? undefined : documento;
}
