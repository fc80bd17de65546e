/** Codes of the rules of remotes: CATP-ER15nn. */
import { isPointer, lastMemberOf, memberOf } from '../pointer.ts';
import { type Problem, rulesOf, unprocessable, withLabel } from '../errors.ts';

export const REMOTE_CODES = rulesOf({
  repeatedRemote: 'CATP-ER1501 Já existe um remoto com esse nome.',
  companyElsewhere: 'CATP-ER1502 O remoto não tem essa empresa.',
  notCompared: 'CATP-ER1503 A comparação ainda não terminou, ou falhou.',
  notDoubtful: 'CATP-ER1504 Registro em que não há o que decidir.',
  unknownCandidate: 'CATP-ER1505 Registro de lá que a comparação não achou livre.',
  newerComparison: 'CATP-ER1506 Há uma comparação mais nova.',
  runUnderWay: 'CATP-ER1507 Já há um envio em andamento entre este remoto e esta empresa.',
  wrongState: 'CATP-ER1510 O estado pedido não é desta direção.',
  unfitUrl: 'CATP-ER1521 Endereço que não serve a um remoto.',
  unfitCredential: 'CATP-ER1522 Credencial de remoto que falta, ou não serve.',
  unfitDowntime: 'CATP-ER1527 Parada diária sem duração.',
  notUnderWay: 'CATP-ER1524 O envio não está em um estado em que isso se possa fazer.',
  notKept: 'CATP-ER1525 As exportações da comparação não são mais guardadas.',
  notHere: 'CATP-ER1526 Vínculo de um registro de lá que não está aqui.',
  noAddress: 'CATP-ER1523 O remoto não tem endereço: é comparado por arquivos.',
  manyMissing: 'CATP-ER1528 Falta na exportação mais da metade do que se sabia estar lá.',
  unfitExport: 'CATP-ER1529 Exportação que não se lê, ou que não é desta empresa.',
  notFetched: 'CATP-ER1530 A exportação não veio do remoto.',
  cancelledComparison: 'CATP-ER1531 A comparação foi cancelada.',
  cutOff: 'CATP-ER1532 A comparação foi interrompida.',
  costlyComparison: 'CATP-ER1533 A comparação custa mais do que uma leitura pode custar.',
  notMade: 'CATP-ER1534 A comparação não pôde ser feita.',
  unknownCodigo: 'CATP-ER1535 A comparação não tem registro com esse código.',
});

/** The cause of a comparison without a result. `message` is Portuguese. */
export interface ComparisonFailure {
  readonly code: string;
  readonly message: string;
}

export const comparisonFailure = (rule: keyof typeof REMOTE_CODES, message: string): ComparisonFailure => ({
  code: REMOTE_CODES[rule].code,
  message,
});

/** Throws 422. */
export function refuseRemote(rule: keyof typeof REMOTE_CODES, path: string, message: string): never {
  const [field, label] = isPointer(path) ? [memberOf(path), lastMemberOf(path)] : [path, path];
  throw unprocessable([
    { code: REMOTE_CODES[rule].code, ...withLabel(label, message), field, path } satisfies Problem,
  ]);
}
