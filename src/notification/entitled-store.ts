/**
 * The right to an event about a company: the subscriber is that person, or represents the company now, by a
 * representation or by a group (contract section 16, "A right ends everywhere at once").
 */

/** Returns the SQL condition. Both parameters are columns with their table. NULL: an event about no company. */
export const entitled = (company: string, documento: string): string =>
  `(${company} IS NULL OR ${company} = ${documento} OR EXISTS (
    SELECT 1 FROM representation r WHERE r.documento = ${documento} AND r.cpf_cnpj_raiz = ${company})
    OR EXISTS (SELECT 1 FROM group_right g WHERE g.documento = ${documento} AND g.cpf_cnpj_raiz = ${company}))`;
