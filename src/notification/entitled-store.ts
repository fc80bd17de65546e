/**
 * The right to what an event tells of a company: the subscriber is that person, or represents the company now
 * (contract section 16, "A right ends everywhere at once").
 */

/** Returns the SQL of the right of a user to a company, each a column with its table. A company of NULL needs none. */
export const entitled = (company: string, documento: string): string =>
  `(${company} IS NULL OR ${company} = ${documento} OR EXISTS (
    SELECT 1 FROM representation r WHERE r.documento = ${documento} AND r.cpf_cnpj_raiz = ${company}))`;
