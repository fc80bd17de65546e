/** Codes of the public service for signing in, and of the rules of users and companies, CATP-ER12nn. */
import { rulesOf } from '../errors.ts';

/** All failures of authentication: code and message of the public service. */
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

/** Remedies in the log for a valid certificate that was refused. */
export const CERTIFICATE_REMEDIES: Readonly<Partial<Record<string, string>>> = {
  'PLAT-ER2001': 'O certificado de um administrador só é aceito com proxy.administradores = true.',
  'PLAT-ER2008': 'Use um e-CPF, ou um Role-Type de empresas, por exemplo DEPOSIT.',
  'PLAT-ER2013': 'Inclua o usuário e sua representação nesse perfil: catp user add, catp representation add.',
  'PLAT-ER2023': 'Dê ao CNPJ a representação da própria raiz nesse perfil: catp representation add.',
};

/**
 * Reasons in the log, for the operator, of a refused sign-in by access key. The caller does not learn them
 * (contract section 2).
 */
export const KEY_REASONS = {
  unknown:
    'A chave é desconhecida: esta instância não tem uma com esse Client-Id. Confira o Client-Id e o endereço da instância.',
  revoked: 'A chave foi revogada. Crie outra: catp key add.',
  expired: 'A chave venceu. Crie outra: catp key add.',
  wrong:
    'O segredo está errado; o Client-Id existe. Confira o Client-Secret, ou crie outra chave: catp key add.',
} as const;

/** Reasons in the log, for the operator, of a refused sign-in by password. The caller does not learn them. */
export const PASSWORD_REASONS = {
  unknown: 'Nenhum usuário desta instância tem esse CPF ou e-mail.',
  none: 'A pessoa ainda não tem senha. Convide-a: catp user invite.',
  wrong: 'A senha está errada. Quem a esqueceu recebe outro convite: catp user invite.',
  off: 'A entrada por senha está desligada nesta instância: senha.permitida = false.',
} as const;

export const ACCOUNT_CODES = rulesOf({
  unknownUser: 'CATP-ER1201 Usuário que não existe.',
  unknownCompany: 'CATP-ER1202 Empresa que não existe.',
  cnpjOfOtherRoot: 'CATP-ER1203 CNPJ de outra raiz.',
  bodyRequired: 'CATP-ER1204 Agente público sem órgão.',
  bodyNotAllowed: 'CATP-ER1205 Usuário privado com órgão.',
  publicRepresentsNobody: 'CATP-ER1206 Agente público não representa empresas.',
  companyHasRecords: 'CATP-ER1208 Empresa que tem registros no catálogo.',
  companyIsRepresented: 'CATP-ER1209 Empresa que ainda é representada.',
  lastAdministrator: 'CATP-ER1210 O último administrador não pode deixar de sê-lo.',
  alreadyExpired: 'CATP-ER1211 Chave de acesso que já teria vencido.',
  rightOfOtherProfile: 'CATP-ER1212 Papel em uma representação que não é do perfil IMPEXP.',
  emailOfAnother: 'CATP-ER1213 Endereço de e-mail que já é de outro usuário.',
  passwordsOff: 'CATP-ER1214 Senha em uma instância em que a entrada por senha está desligada.',
  invitationGone: 'CATP-ER1215 Convite inválido ou vencido.',
  weakPassword: 'CATP-ER1216 Senha que contém o documento da pessoa ou uma palavra do nome dela.',
  wrongPassword: 'CATP-ER1217 Senha atual que não confere.',
  companyInvited: 'CATP-ER1218 Convite para um certificado de empresa, que não é uma pessoa.',
  identityOfAnother: 'CATP-ER1219 Identidade do provedor que já está ligada a outro usuário.',
  profileOfOtherKind: 'CATP-ER1207 Perfil que não admite esse tipo de usuário.',
});

export type AccountRule = keyof typeof ACCOUNT_CODES;
