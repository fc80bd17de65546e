/** Falhas sorteadas: por qual semente, e de que conjunto (`catp dev --chaos list`; padrão: `tudo`). */
export interface Chaos {
  readonly seed: number | string;
  readonly set?: string;
}

/** Como a instância começa. */
export interface StartOptions {
  /** Sem o catálogo e a tabela de atributos inventados. Padrão: `false`. */
  readonly empty?: boolean;
  /** As regras que valem: `especificacao` (padrão) ou `portal`. */
  readonly profile?: 'especificacao' | 'portal';
  /** Instante em que o relógio de teste começa, parado; sem ele, o relógio é o da máquina. */
  readonly clock?: string | Date;
  /** Pasta de dados, que fica; sem ela, uma temporária, apagada no fim. */
  readonly data?: string;
  /** Começa do estado guardado com este nome na pasta. */
  readonly snapshot?: string;
  /** Padrão: as da variável `CAOS` (`1:tudo`); `false`: nenhuma. */
  readonly chaos?: Chaos | false;
  /** Mais opções de `catp dev`, como as da linha de comando. */
  readonly args?: readonly string[];
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** O JSON da resposta; de outro tipo, o texto. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- o teste sabe o que espera
  readonly body: any;
}

/** Faz uma requisição como o usuário que entrou. */
export type Caller = (method: string, path: string, body?: unknown) => Promise<Reply>;

export interface Instance extends AsyncDisposable {
  /** `http://127.0.0.1:PORTA`. */
  readonly url: string;
  /** Entra com uma chave de acesso; o segredo dos usuários fixos é o próprio Client-Id, e o perfil, IMPEXP. */
  signIn(clientId: string, clientSecret?: string, roleType?: string): Promise<Caller>;
  /** Uma operação de `/appliance/api`, como administrador; lança o que for recusado. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- depende da operação
  admin(method: string, path: string, body?: unknown): Promise<any>;
  /** O relógio de teste, que só anda quando mandado; instantes ISO 8601. */
  readonly clock: {
    now(): Promise<string>;
    /** Uma duração ISO 8601, como `P30D`; o que vence no caminho é feito antes de responder. */
    advance(duration: string): Promise<string>;
    set(moment: string): Promise<string>;
  };
  /** Guarda o estado inteiro. */
  snapshot(name: string): Promise<void>;
  /** Volta a ele; quem entrou continua conectado. */
  restore(name: string): Promise<void>;
  /** Termina a instância, e espera que termine. */
  stop(): Promise<void>;
}

export function start(options?: StartOptions): Promise<Instance>;

/** As falhas que foram pedidas; sem um pedido, as da variável `CAOS`. */
export function chaosOf(chaos?: Chaos | false): Chaos | undefined;

/** O caminho do executável: o de `CATP`, ou o do pacote desta plataforma. */
export function executable(): string;
