/** Recognises a spreadsheet by the name of its file. */

/** Returns true for a format that is read. */
export const isSheetName = (name: string): boolean => /\.(?:xls[xm]|csv|tsv)$/i.test(name);

/** Returns true for a format of spreadsheets that is refused. */
export const isUnreadSheetName = (name: string): boolean => /\.(?:xlsb?|ods)$/i.test(name);
