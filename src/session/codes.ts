/** Codes of the rules of users and companies, CATP-ER12nn. */
export const ACCOUNT_CODES = {
  unknownUser: { code: 'CATP-ER1201', meaning: 'Usuário que não existe.' },
  unknownCompany: { code: 'CATP-ER1202', meaning: 'Empresa que não existe.' },
  cnpjOfOtherRoot: { code: 'CATP-ER1203', meaning: 'CNPJ de outra raiz.' },
  bodyRequired: { code: 'CATP-ER1204', meaning: 'Agente público sem órgão.' },
  bodyNotAllowed: { code: 'CATP-ER1205', meaning: 'Usuário privado com órgão.' },
  publicRepresentsNobody: { code: 'CATP-ER1206', meaning: 'Agente público não representa empresas.' },
  profileOfOtherKind: { code: 'CATP-ER1207', meaning: 'Perfil que não admite esse tipo de usuário.' },
} as const;

export type AccountRule = keyof typeof ACCOUNT_CODES;
