/**
 * This is the only script of the front page. After signing, guests come to the front page, which shows their receipts
 * for a day (see sign/keep-receipt.ts). For everyone else, the script loads nothing.
 */
export const RECEIPT_SCRIPT =
  'try{/cairn-receipt:/.test(Object.keys(localStorage))&&import("/receipts.js").catch(()=>{})}catch{}';
