// Checks a published folder with Go's own packages for transparency logs, then signs a checkpoint and writes a receipt.
//
//	go run check.go FOLDER VKEY PRIVATE_KEY_FILE RECEIPT VKEY_OF_WITNESS
package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type tiles struct{ folder string }

func (t tiles) Height() int { return 8 }

func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range wanted {
		path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
		content, err := os.ReadFile(filepath.Join(t.folder, path))
		if err != nil {
			return nil, err
		}
		all = append(all, content)
	}
	return all, nil
}

func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}

// witness checks cosignatures as C2SP's tlog-cosignature defines them; the package note has none.
type witness struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func newWitness(vkey string) witness {
	parts := strings.SplitN(vkey, "+", 3)
	key, err := base64.StdEncoding.DecodeString(parts[2])
	must(err)
	sum := sha256.Sum256([]byte(parts[0] + "\n" + string(key)))
	if key[0] != 4 || fmt.Sprintf("%x", sum[:4]) != parts[1] {
		log.Fatal("not the key of a witness")
	}
	return witness{parts[0], binary.BigEndian.Uint32(sum[:4]), ed25519.PublicKey(key[1:])}
}

func (w witness) Name() string    { return w.name }
func (w witness) KeyHash() uint32 { return w.hash }
func (w witness) Verify(text, signature []byte) bool {
	time := binary.BigEndian.Uint64(signature[:8])
	return ed25519.Verify(w.key, []byte(fmt.Sprintf("cosignature/v1\ntime %d\n%s", time, text)), signature[8:])
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func records(folder string, size int64) [][]byte {
	var all [][]byte
	for number := int64(0); number*256 < size; number++ {
		path := fmt.Sprintf("tile/entries/%03d", number)
		if size-number*256 < 256 {
			path += fmt.Sprintf(".p/%d", size%256)
		}
		content, err := os.ReadFile(filepath.Join(folder, path))
		must(err)
		for len(content) > 0 {
			end := 2 + int(binary.BigEndian.Uint16(content))
			all = append(all, content[2:end])
			content = content[end:]
		}
	}
	return all
}

func main() {
	folder, vkey, keyFile, receipt := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	verifier, err := note.NewVerifier(vkey)
	must(err)
	for _, name := range []string{"commitment", "checkpoint"} {
		content, err := os.ReadFile(filepath.Join(folder, name))
		must(err)
		_, err = note.Open(content, note.VerifierList(verifier))
		must(err)
	}
	content, err := os.ReadFile(filepath.Join(folder, "checkpoint"))
	must(err)
	signed, err := note.Open(content, note.VerifierList(verifier, newWitness(os.Args[5])))
	must(err)
	if len(signed.Sigs) != 2 || len(signed.UnverifiedSigs) != 0 {
		log.Fatal("the checkpoint is not signed by both")
	}
	lines := strings.Split(signed.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	must(err)
	root, err := base64.StdEncoding.DecodeString(lines[2])
	must(err)
	var hash tlog.Hash
	copy(hash[:], root)
	reader := tlog.TileHashReader(tlog.Tree{N: size, Hash: hash}, tiles{folder})
	var proof tlog.RecordProof
	all := records(folder, size)
	for index, record := range all {
		proof, err = tlog.ProveRecord(size, int64(index), reader)
		must(err)
		must(tlog.CheckRecord(proof, size, hash, int64(index), tlog.RecordHash(record)))
	}
	for old := int64(1); old < size; old++ {
		oldHash, err := tlog.TreeHash(old, reader)
		must(err)
		growth, err := tlog.ProveTree(size, old, reader)
		must(err)
		must(tlog.CheckTree(growth, size, hash, old, oldHash))
	}
	fmt.Printf("%d records are in the tree of %d\n", len(all), size)

	private, err := os.ReadFile(keyFile)
	must(err)
	signer, err := note.NewSigner(strings.TrimSpace(string(private)))
	must(err)
	text := fmt.Sprintf("%s\n%d\n%s\n", lines[0], size, base64.StdEncoding.EncodeToString(hash[:]))
	own, err := note.Sign(&note.Note{Text: text}, signer)
	must(err)
	var hashes []string
	for _, each := range proof {
		hashes = append(hashes, base64.StdEncoding.EncodeToString(each[:]))
	}
	stated, err := json.Marshal(hashes)
	must(err)
	quoted, err := json.Marshal(string(own))
	must(err)
	last := len(all) - 1
	body := fmt.Sprintf(`{"format":"fa-receipt/1","index":%d,"proof":%s,"checkpoint":%s,"record":%s}`+"\n",
		last, stated, quoted, all[last])
	must(os.WriteFile(receipt, []byte(body), 0o644))
}
