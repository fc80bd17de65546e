/** What a signed request carries, by the variables that the scripts keep the session in. */
export const SIGNATURE = [
  ['Authorization', '{{sessaoToken}}'],
  ['X-CSRF-Token', '{{sessaoCsrf}}'],
] as const;
