import { catalogOf } from '@rootbound/protocol';
import { copyFile } from './tools/copy-file.ts';
import { createDirectory } from './tools/create-directory.ts';
import { deleteFile } from './tools/delete-file.ts';
import { directoryTree } from './tools/directory-tree.ts';
import { editFile } from './tools/edit-file.ts';
import { getFileInfo } from './tools/get-file-info.ts';
import { listAllowedDirectories } from './tools/list-allowed-directories.ts';
import { listDirectory } from './tools/list-directory.ts';
import { listDirectoryWithSizes } from './tools/list-directory-with-sizes.ts';
import { moveFile } from './tools/move-file.ts';
import { readFile } from './tools/read-file.ts';
import { readMediaFile } from './tools/read-media-file.ts';
import { readMultipleFiles } from './tools/read-multiple-files.ts';
import { readTextFile } from './tools/read-text-file.ts';
import { searchContent } from './tools/search-content.ts';
import { searchFiles } from './tools/search-files.ts';
import { setFileAttributes } from './tools/set-file-attributes.ts';
import { writeFile } from './tools/write-file.ts';

/** The tools of this server. The build replaces this module with one that loads each tool at its first call. */
export const catalog = catalogOf(
  [
    readTextFile,
    readMediaFile,
    readMultipleFiles,
    writeFile,
    editFile,
    createDirectory,
    listDirectory,
    directoryTree,
    moveFile,
    copyFile,
    deleteFile,
    setFileAttributes,
    searchFiles,
    searchContent,
    getFileInfo,
    listAllowedDirectories,
    readFile,
    listDirectoryWithSizes,
  ],
  // keeps the list of tools below the size that clients accept
  { outputs: 'shape' },
);
