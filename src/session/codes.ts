/** Codes of signing in, the public service's own, and of the rules of users and companies, CATP-ER12nn. */

/** Every failure of authentication: code and message of the public service. */
export const AUTHENTICATION_FAILURES = {
  'PUCX-ER0101': "O cabeçalho 'Role-Type' não está na requisição.",
  'PUCX-ER0102': "O cabeçalho 'Role-Type' é inválido.",
  'PLAT-ER2001': 'Não foi possível identificar um certificado digital válido.',
  'PLAT-ER2008':
    'A autenticação com e-CNPJ não é válida para o perfil selecionado. Para esse perfil deve ser utilizado um certificado do tipo e-CPF.',
  'PLAT-ER2013': 'Usuário não possui representações no perfil selecionado.',
  'PLAT-ER2023': 'O CNPJ não possui habilitação para atuar no perfil selecionado.',
  'PLAT-ER2033': 'Operação não autorizada. Usuário realizou autenticação válida nos últimos 60 segundos.',
  'PLAT-ER8008': 'Não foi possível efetuar a autenticação com chave de acesso.',
} as const;

/** For the log: what lets the holder of a good certificate in. */
export const CERTIFICATE_REMEDIES: Readonly<Partial<Record<string, string>>> = {
  'PLAT-ER2001': 'De um administrador só com proxy.administradores = true.',
  'PLAT-ER2008': 'Use um e-CPF, ou um Role-Type de empresas, por exemplo DEPOSIT.',
  'PLAT-ER2013': 'Faça o usuário e sua representação nesse perfil: catp user add, catp representation add.',
  'PLAT-ER2023': 'Dê ao CNPJ a representação da própria raiz nesse perfil: catp representation add.',
};

export const ACCOUNT_CODES = {
  unknownUser: { code: 'CATP-ER1201', meaning: 'Usuário que não existe.' },
  unknownCompany: { code: 'CATP-ER1202', meaning: 'Empresa que não existe.' },
  cnpjOfOtherRoot: { code: 'CATP-ER1203', meaning: 'CNPJ de outra raiz.' },
  bodyRequired: { code: 'CATP-ER1204', meaning: 'Agente público sem órgão.' },
  bodyNotAllowed: { code: 'CATP-ER1205', meaning: 'Usuário privado com órgão.' },
  publicRepresentsNobody: { code: 'CATP-ER1206', meaning: 'Agente público não representa empresas.' },
  companyHasRecords: { code: 'CATP-ER1208', meaning: 'Empresa que tem registros no catálogo.' },
  companyIsRepresented: { code: 'CATP-ER1209', meaning: 'Empresa que ainda é representada.' },
  lastAdministrator: { code: 'CATP-ER1210', meaning: 'O último administrador não pode deixar de sê-lo.' },
  alreadyExpired: { code: 'CATP-ER1211', meaning: 'Chave de acesso que já teria vencido.' },
  profileOfOtherKind: { code: 'CATP-ER1207', meaning: 'Perfil que não admite esse tipo de usuário.' },
} as const;

export type AccountRule = keyof typeof ACCOUNT_CODES;
