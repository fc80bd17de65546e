/** Reads the holder of an ICP-Brasil certificate: its CPF or CNPJ (contract section 16). */
import type { Certificate } from './certificate.ts';

const PERSON = '2.16.76.1.3.1';
const COMPANY = '2.16.76.1.3.3';

/** 8 digits of birth date, then 11 of CPF, then ignored data. */
const PERSON_DATA = /^\d{8}(\d{11})/;
const CNPJ = /^([0-9A-Z]{12}\d{2})$/;
const NAMED = /:(\d{11}|[0-9A-Z]{12}\d{2})$/;
/** Placeholder of an authority for a missing number. */
const NO_NUMBER = /^0+$/;

/**
 * Returns the CPF or CNPJ of the holder. If the SAN has one of the two names, it takes precedence over the
 * CN.
 */
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
