/** An operation as its form sends it. The server prints it into the page of the operation. */

/** A list whose first row gives the values of an example, so that it works when it is sent. */
export interface ExampleSource {
  /** Path of a list of the API. */
  readonly path: string;
  /** True when the list belongs to a company. */
  readonly isOfCompany: boolean;
  /** Parameter or body member → member of the first row. */
  readonly members: Readonly<Record<string, string>>;
}

export interface TrialParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly isRequired: boolean;
  readonly description: string;
  /** The accepted values; `undefined` when they are too many to list. */
  readonly options: readonly string[] | undefined;
  /** A value that is accepted. */
  readonly example: string;
}

export type TrialBody =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'json';
      readonly example: unknown;
      /** Members that the operation accepts. */
      readonly members: readonly string[];
    }
  | {
      readonly kind: 'form';
      /** Members in addition to the file. */
      readonly parts: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'file'; readonly type: string };

export interface Trial {
  readonly method: string;
  /** `/catp/api/ext/produto/{cpfCnpjRaiz}` */
  readonly path: string;
  readonly isSecured: boolean;
  readonly parameters: readonly TrialParameter[];
  readonly body: TrialBody;
  readonly source: ExampleSource | undefined;
}

/** A problem code with its cause and remedy. Some codes exist per module: `CATP-ER0404, PLAT-ER0404`. */
export interface ProblemCode {
  readonly code: string;
  readonly meaning: string;
  readonly remedy: string;
}

/** The data that the server prints into the page. */
export interface TrialPage {
  readonly trial: Trial;
  readonly problems: readonly ProblemCode[];
}
