/** Addresses of e-mail, of people and of operators. */

const ADDRESS =
  /^[^\s\p{Cc}@.,;:<>()[\]\\"]+(\.[^\s\p{Cc}@.,;:<>()[\]\\"]+)*@[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)+$/u;

/** The pattern of schemas. */
export const EMAIL = ADDRESS.source;

export const isEmail = (text: string): boolean => ADDRESS.test(text);

export const EMAIL_DOMAIN = 'um endereço de e-mail, como nome@empresa.exemplo';
