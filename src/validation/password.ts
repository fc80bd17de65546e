/** The length of a password in characters, which the pages check before they send one (contract section 27). */
export const PASSWORD_LENGTH = { minLength: 12, maxLength: 200 } as const;
