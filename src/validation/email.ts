/** Addresses of e-mail, of people and of operators. */

export const EMAIL =
  '^[^\\s\\p{Cc}@.,;:<>()\\[\\]\\\\"]+(\\.[^\\s\\p{Cc}@.,;:<>()\\[\\]\\\\"]+)*@[\\p{L}\\p{M}\\p{N}-]+(\\.[\\p{L}\\p{M}\\p{N}-]+)+$';

export const EMAIL_DOMAIN = 'um endereço de e-mail, como nome@empresa.exemplo';
