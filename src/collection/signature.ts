/** The headers of a signed request, with the variables in which the scripts keep the session. */
export const SIGNATURE = [
  ['Authorization', '{{sessaoToken}}'],
  ['X-CSRF-Token', '{{sessaoCsrf}}'],
] as const;
