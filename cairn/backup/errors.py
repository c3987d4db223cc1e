"""The reasons why a backup or a restore is refused or fails. The command line prints them."""

from cairn.kit import Problem


class BackupExists(Problem):
    code = "backup_exists"
    message = "{target} already contains a backup. Choose an empty folder or another prefix for each backup."


class NoBackup(Problem):
    code = "no_backup"
    message = "{source} contains no complete backup: manifest.json is missing."


class BackupTooNew(Problem):
    code = "backup_too_new"
    message = "The backup was made by Cairn {version}, whose format this version does not know. Use that version."


class BackupDamaged(Problem):
    code = "backup_damaged"
    message = "The backup is damaged: {name} {reason}. Use another backup."


class PlaceUnusable(Problem):
    code = "place_unusable"
    message = "{place} cannot be used ({reason})."


class PassphraseMissing(Problem):
    code = "passphrase_missing"
    message = (
        "A passphrase is needed for the secrets in the backup. Run the command in a terminal, which prompts for it, or "
        "use --passphrase-file or the variable {variable}."
    )


class PassphraseTooShort(Problem):
    code = "passphrase_too_short"
    message = "The passphrase must have at least {length} characters."


class PassphrasesDiffer(Problem):
    code = "passphrases_differ"
    message = "The two passphrases differ."


class PassphraseWrong(Problem):
    code = "passphrase_wrong"
    message = "The secrets in the backup cannot be decrypted: the passphrase is wrong, or secrets.sealed is damaged."


class DumpFailed(Problem):
    code = "dump_failed"
    message = "The database could not be dumped: {reason}"


class RestoreFailed(Problem):
    code = "restore_failed"
    message = "The database could not be restored: {reason}"


class DataFolderNotEmpty(Problem):
    code = "data_folder_not_empty"
    message = "{folder} is not empty. Restore into a new data folder: --data or CAIRN_DATA."


class FilesNotEmpty(Problem):
    code = "files_not_empty"
    message = "{place} already contains files. Restore into an empty bucket or prefix: CAIRN_STORAGE__S3__PREFIX."


class DatabaseNotEmpty(Problem):
    code = "database_not_empty"
    message = "The database already contains tables. Restore into an empty database: CAIRN_DATABASE__URL."


class SecretDiffersFromBackup(Problem):
    code = "secret_differs_from_backup"
    message = (
        "The secret in {name} or CAIRN_SECRETS differs from the one in the backup. Unset that variable for the restore."
    )
