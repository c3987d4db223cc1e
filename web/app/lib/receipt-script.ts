/**
 * The front page has no other script. A guest who has just signed comes here, and keeps the receipt for a day (see
 * sign/keep-receipt.ts). For everyone else nothing is loaded.
 */
export const RECEIPT_SCRIPT =
  'try{/cairn-receipt:/.test(Object.keys(localStorage))&&import("/receipts.js").catch(()=>{})}catch{}';
